import { isObject, type JsonObject } from '../../core/json.ts';
import { HANDSHAKE_TOOL } from '../../core/words.ts';
import type { TranscriptReading, TranscriptSource } from '../../hooks/requests.ts';
import { markOf } from '../../platform/file-mark.ts';
import { readSlice } from '../../platform/files.ts';
import { asksFor, countResponses, type Response } from '../shared/decode/responses.ts';
import type { HookInput } from './decode.ts';

/** Most that one event reads; what is left comes with the next one. */
const MAX_READ = 8 << 20;

function payloadOf(line: string): JsonObject | null {
  // Most lines are long messages that count nothing.
  if (!/"type":"(?:token_usage_record|function_call|custom_tool_call|turn_context)"/.test(line)) return null;
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) && isObject(value.payload) ? { ...value.payload, kind: value.type ?? null } : null;
  } catch {
    return null;
  }
}

function count(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? Math.floor(value) : 0;
}

/**
 * Tokens of one response. What the provider had in its cache is not counted: every turn reads the whole conversation
 * again, and a budget is about new work. (`input_tokens` includes the cached ones here.)
 */
function tokensOf(usage: unknown): number {
  if (!isObject(usage)) return 0;
  const fresh = count(usage.input_tokens) - count(usage.cached_input_tokens);
  return Math.max(0, fresh) + count(usage.output_tokens);
}

/**
 * Reads a session's record from a byte offset (one that was cut from its beginning). A response is over with its
 * `token_usage_record`; the calls before it are its own. What is not over yet is read again next time.
 */
export function readTranscript(file: string, offset: number, lastMessage: string | null): TranscriptReading {
  const none: TranscriptReading = { offset, turns: 0, tokens: 0, model: null, lastMessage, calls: [] };
  const size = markOf(file)?.size ?? 0;
  // Cut by somebody: what is there now may be new, and counting too much is safe.
  if (size < offset) return readTranscript(file, 0, lastMessage);
  if (size === offset) return none;
  const bytes = readSlice(file, offset, Math.min(size - offset, MAX_READ));
  const end = bytes.lastIndexOf(10);
  if (end < 0) return bytes.length < MAX_READ ? none : { ...none, offset: offset + bytes.length };
  let { model } = none;
  let read = 0;
  let done = 0;
  let open: { id: string; name: string }[] = [];
  const responses: Response[] = [];
  for (const line of bytes.toString('utf8', 0, end).split('\n')) {
    read += Buffer.byteLength(line) + 1;
    const payload = payloadOf(line);
    if (payload?.kind === 'turn_context' && typeof payload.model === 'string') model = payload.model;
    if (payload?.type === 'function_call' || payload?.type === 'custom_tool_call')
      open.push({ id: String(payload.call_id), name: String(payload.name) });
    if (payload?.kind !== 'token_usage_record') {
      if (open.length === 0) done = read;
      continue;
    }
    done = read;
    responses.push({
      // Without an id of its own it is nobody's continuation.
      id: typeof payload.response_id === 'string' ? payload.response_id : `at ${offset + read}`,
      model: null,
      tokens: tokensOf(payload.usage),
      calls: open.map(({ id }) => id),
      ...asksFor(
        open.map(({ name }) => name),
        HANDSHAKE_TOOL,
      ),
    });
    open = [];
  }
  // A response that never ends must not hold up the reading for good.
  if (done === 0 && bytes.length === MAX_READ) done = end + 1;
  return { offset: offset + done, ...countResponses(responses, lastMessage), model };
}

/** The records that an event names: a subagent has its own, which its last event names beside the session's. */
export function transcriptOf(input: HookInput): TranscriptSource | null {
  const files = [input.transcriptPath, input.agentTranscriptPath].filter((file) => file !== null);
  if (files.length === 0) return null;
  return {
    files,
    read: (file, offset, lastMessage) => {
      try {
        const reading = readTranscript(file, offset, lastMessage);
        return { ...reading, model: reading.model ?? input.model };
      } catch {
        return { offset, turns: 0, tokens: 0, model: input.model, lastMessage, calls: [] };
      }
    },
  };
}
