import { isObject } from '../../core/json.ts';
import type { ToolCall } from '../../core/tool-call.ts';
import { asDecoded } from '../../core/unnamed.ts';
import { HANDSHAKE_TOOL } from '../../core/words.ts';
import type { TranscriptSource } from '../../hooks/requests.ts';
import { listNames } from '../../platform/files.ts';
import type { HookInput } from '../shared/decode/hook-input.ts';
import { asksFor, type Response, readResponses } from '../shared/decode/responses.ts';
import { count } from '../shared/decode/transcript.ts';
import { OWN_PREFIX } from './tools.ts';

/**
 * One line of the host's transcript, when it is a response of the model. It is written before the response's tools run,
 * and once more with their calls when they have ended. Tokens out of the provider's cache are not counted: every turn
 * reads the whole conversation again.
 */
function toResponse(line: unknown): Response | null {
  if (!isObject(line) || line.type !== 'gemini' || typeof line.id !== 'string') return null;
  const tokens = isObject(line.tokens) ? line.tokens : {};
  const calls: readonly unknown[] = Array.isArray(line.toolCalls) ? line.toolCalls : [];
  return {
    id: line.id,
    model: typeof line.model === 'string' ? line.model : null,
    tokens: Math.max(0, count(tokens.total) - count(tokens.cached)),
    calls: [],
    ...asksFor(
      calls.map((call) => (isObject(call) ? call.name : null)),
      `${OWN_PREFIX}${HANDSHAKE_TOOL}`,
    ),
  };
}

/** Subagents' own transcripts stand in a folder of the session's name beside its own. */
function subagentFiles(transcriptPath: string, sessionId: string): string[] {
  if (!/^[\w-]+$/.test(sessionId)) return [];
  const folder = `${transcriptPath.slice(0, transcriptPath.lastIndexOf('/'))}/${sessionId}`;
  return listNames(folder).flatMap((name) => (name.endsWith('.jsonl') ? [`${folder}/${name}`] : []));
}

/** The transcripts of a session. `call` is the one that the event is about. */
export function transcriptOf(
  { transcriptPath, sessionId }: HookInput,
  call: ToolCall | null = null,
): TranscriptSource | null {
  if (transcriptPath === null) return null;
  return {
    files: [transcriptPath, ...subagentFiles(transcriptPath, sessionId)],
    read: (file, offset, lastMessage) => {
      const begins = call?.tool === HANDSHAKE_TOOL && file === transcriptPath;
      const reading = readResponses(file, offset, lastMessage, toResponse, begins);
      // The response that makes the call is in the transcript by now, though without the call.
      const shown = call !== null && reading.lastMessage !== null;
      return shown ? { ...reading, calls: [asDecoded(call)] } : reading;
    },
  };
}
