import { isObject } from '../../core/json.ts';
import { HANDSHAKE_TOOL } from '../../core/words.ts';
import type { TranscriptReading, TranscriptSource } from '../../hooks/requests.ts';
import { listNames, readRegular } from '../../platform/files.ts';
import { folderOf } from '../../platform/home.ts';
import { asksFor, tally } from '../shared/decode/responses.ts';
import { count } from '../shared/decode/transcript.ts';
import { OWN_PREFIX } from './tools.ts';

/** A longer record is not read while a call waits. */
const MAX_SIZE = 32 << 20;

interface Response {
  /** When it came, in milliseconds. */
  readonly at: number;
  readonly model: string | null;
  readonly tokens: number;
  readonly calls: readonly { readonly id: string; readonly name: string }[];
}

/** A response of the model. Tokens that the provider's cache answered are no new work. */
function toResponse(message: unknown): Response | null {
  if (!isObject(message) || message.role !== 'assistant') return null;
  const { ts, metrics, modelInfo, content } = message;
  const used = isObject(metrics) ? metrics : {};
  const [input, cached] = [count(used.inputTokens), count(used.cacheReadTokens)];
  return {
    at: count(ts),
    model: isObject(modelInfo) && typeof modelInfo.id === 'string' ? modelInfo.id : null,
    tokens: (cached <= input ? input - cached : input) + count(used.outputTokens),
    calls: (Array.isArray(content) ? content : []).flatMap((block: unknown) =>
      isObject(block) && block.type === 'tool_use' && typeof block.id === 'string'
        ? [{ id: block.id, name: String(block.name) }]
        : [],
    ),
  };
}

function responsesIn(file: string): Response[] {
  try {
    const record: unknown = JSON.parse(readRegular(file, MAX_SIZE)?.toString('utf8') ?? '{}');
    const messages = isObject(record) && Array.isArray(record.messages) ? record.messages : [];
    return messages.flatMap((message) => toResponse(message) ?? []);
  } catch {
    return [];
  }
}

/**
 * Reads the host's record of a conversation, one JSON document that is written anew with every message. `since` is the
 * time of the last response that was counted: a conversation that was made shorter counts nothing twice.
 */
export function readTranscript(file: string, since: number, lastMessage: string | null): TranscriptReading {
  const fresh = responsesIn(file).filter(({ at }) => at > since);
  const asked = fresh.map(({ tokens, calls }) => ({
    tokens,
    ...asksFor(
      calls.map(({ name }) => name),
      `${OWN_PREFIX}${HANDSHAKE_TOOL}`,
    ),
  }));
  return {
    offset: Math.max(since, ...fresh.map(({ at }) => at)),
    ...tally(asked),
    model: fresh.findLast(({ model }) => model !== null)?.model ?? null,
    lastMessage,
    calls: fresh.flatMap(({ calls }) => calls.map(({ id }) => id)),
  };
}

/** The records of a session: the agent's own, and one for each that it started. */
export function transcriptOf(sessionId: string): TranscriptSource | null {
  if (!/^[\w-]+$/.test(sessionId)) return null;
  const folder = `${folderOf('CLINE_DATA_DIR', '.cline/data')}/sessions/${sessionId}`;
  const files = listNames(folder).filter((name) => name.endsWith('.messages.json'));
  return { files: files.map((name) => `${folder}/${name}`), read: readTranscript };
}
