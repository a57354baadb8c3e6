import { isObject } from '../../core/json.ts';
import { HANDSHAKE_TOOL } from '../../core/words.ts';
import type { TranscriptSource } from '../../hooks/requests.ts';
import { markOf } from '../../platform/file-mark.ts';
import { readSlice } from '../../platform/files.ts';
import type { HookInput } from '../shared/decode/hook-input.ts';
import { optionalText } from '../shared/decode/payload.ts';
import { asksFor, type Response, readResponses } from '../shared/decode/responses.ts';
import { count } from '../shared/decode/transcript.ts';
import { OWN_PREFIX } from './tools.ts';

/**
 * One line of the host's transcript, when it is a response of the model. Tokens out of the provider's cache are not
 * counted: every turn reads the whole conversation again.
 */
function toResponse(line: unknown): Response | null {
  if (!isObject(line) || line.type !== 'assistant' || typeof line.uuid !== 'string') return null;
  const usage = isObject(line.usageMetadata) ? line.usageMetadata : {};
  const parts = isObject(line.message) && Array.isArray(line.message.parts) ? line.message.parts : [];
  const calls = parts.flatMap((part: unknown) =>
    isObject(part) && isObject(part.functionCall) ? [part.functionCall] : [],
  );
  // A subagent's response is written in two lines, the second one without its use.
  const continues = line.usageMetadata === undefined && typeof line.parentUuid === 'string';
  return {
    id: continues ? String(line.parentUuid) : line.uuid,
    model: typeof line.model === 'string' ? line.model : null,
    tokens: Math.max(0, count(usage.totalTokenCount) - count(usage.cachedContentTokenCount)),
    calls: calls.flatMap(({ id }) => (typeof id === 'string' ? [id] : [])),
    ...asksFor(
      calls.map(({ name }) => name),
      `${OWN_PREFIX}${HANDSHAKE_TOOL}`,
    ),
  };
}

/** How far back a response is looked for that makes several calls: it was read with the first of them. */
const TAIL = 256 << 10;

function tells(file: string, callId: string): boolean {
  try {
    const size = markOf(file)?.size ?? 0;
    const from = Math.max(0, size - TAIL);
    return readSlice(file, from, size - from).includes(`"id":${JSON.stringify(callId)}`);
  } catch {
    return false;
  }
}

/** The session's transcript, and a subagent's own, which stands in a folder beside it. */
export function transcriptOf({ transcriptPath, agentId, raw }: HookInput): TranscriptSource | null {
  if (transcriptPath === null) return null;
  const files = [transcriptPath];
  const place = /^(.*)\/chats\/([^/]+)\.jsonl$/.exec(transcriptPath);
  if (place && agentId !== null && /^[\w-]+$/.test(agentId))
    files.push(`${place[1]}/subagents/${place[2]}/agent-${agentId}.jsonl`);
  // The transcript knows the model's id of a call, the engine the host's.
  const [asked, own] = [optionalText(raw, 'tool_call_id'), optionalText(raw, 'tool_use_id')];
  return {
    files,
    read: (file, offset, lastMessage) => {
      const reading = readResponses(file, offset, lastMessage, toResponse);
      if (asked === null || own === null) return reading;
      return reading.calls.includes(asked) || tells(file, asked)
        ? { ...reading, calls: [...reading.calls, own] }
        : reading;
    },
  };
}
