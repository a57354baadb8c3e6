import { isObject } from '../../core/json.ts';
import { HANDSHAKE_TOOL } from '../../core/words.ts';
import type { TranscriptReading, TranscriptSource } from '../../hooks/requests.ts';
import { folderOf } from '../../platform/home.ts';
import { asksFor, tally } from '../shared/decode/responses.ts';
import { count, linesOf } from '../shared/decode/transcript.ts';
import { callIdOf } from './decode.ts';
import { OWN_PREFIX } from './tools.ts';

/** What one line says of the model's use: a response with its tokens, or the calls that a response made. */
interface Entry {
  /** The host's id of the exchange with the model. */
  readonly exchange: string;
  readonly model: string | null;
  /** Null on the line that names the calls. */
  readonly tokens: number | null;
  readonly calls: readonly { readonly id: string | null; readonly name: string }[];
}

/**
 * Tokens that are new work. The host counts what came from the provider's cache among the input; where it is more than
 * the input, it was not counted there.
 */
function tokensOf(usage: Record<string, unknown>): number {
  const [input, cached] = [count(usage.inputTokens), count(usage.cacheReadTokens)];
  return (cached <= input ? input - cached : input) + count(usage.outputTokens);
}

function toEntry(line: unknown): Entry | null {
  if (!isObject(line) || !isObject(line.data)) return null;
  const { data } = line;
  if (line.type === 'session.usage_record' && isObject(data.usage)) {
    const { apiCallId, model } = data.usage;
    if (typeof apiCallId !== 'string') return null;
    return {
      exchange: apiCallId,
      model: typeof model === 'string' ? model : null,
      tokens: tokensOf(data.usage),
      calls: [],
    };
  }
  if (line.type !== 'assistant.message' || typeof data.apiCallId !== 'string') return null;
  const requests = Array.isArray(data.toolRequests) ? data.toolRequests : [];
  const calls = requests.flatMap((request: unknown) =>
    isObject(request) && typeof request.name === 'string'
      ? [{ name: request.name, id: callIdOf(request.name, request.arguments) }]
      : [],
  );
  return { exchange: data.apiCallId, model: null, tokens: null, calls };
}

/**
 * Reads the host's record of a session from a byte offset. Each record of use counts: a provider may give all its
 * responses one id.
 */
export function readTranscript(file: string, offset: number, lastMessage: string | null): TranscriptReading {
  const { lines, offset: next } = linesOf(file, offset);
  const entries = lines.flatMap((line) => toEntry(line) ?? []);
  const used = entries.flatMap(({ tokens, exchange, model }) => {
    if (tokens === null) return [];
    const names = entries.flatMap((entry) => (entry.exchange === exchange ? entry.calls : []));
    const asked = asksFor(
      names.map(({ name }) => name),
      `${OWN_PREFIX}${HANDSHAKE_TOOL}`,
    );
    return [{ exchange, model, tokens, ...asked }];
  });
  return {
    offset: next,
    ...tally(used),
    model: used.findLast(({ model }) => model !== null)?.model ?? null,
    lastMessage: used.at(-1)?.exchange ?? lastMessage,
    calls: entries.flatMap(({ calls }) => calls.flatMap(({ id }) => id ?? [])),
  };
}

/** The record of a session; its subagents write into the same one. */
export function transcriptOf(sessionId: string): TranscriptSource | null {
  if (!/^[\w-]+$/.test(sessionId)) return null;
  return {
    files: [`${folderOf('COPILOT_HOME', '.copilot')}/session-state/${sessionId}/events.jsonl`],
    read: readTranscript,
  };
}
