import { isObject } from '../../core/json.ts';
import { HANDSHAKE_TOOL } from '../../core/words.ts';
import type { TranscriptReading, TranscriptSource } from '../../hooks/requests.ts';
import type { HookInput } from '../shared/decode/hook-input.ts';
import { asksFor, type Response, readResponses } from '../shared/decode/responses.ts';
import { count } from '../shared/decode/transcript.ts';
import { OWN_PREFIX } from './tools.ts';

/**
 * One line of the host's transcript, when it is a model response. Tokens read from the provider's cache are not
 * counted: every turn reads the whole conversation again, and a budget is about new work.
 */
function toResponse(parsed: unknown): Response | null {
  if (!isObject(parsed) || parsed.type !== 'assistant' || !isObject(parsed.message)) return null;
  const { id, model, usage, content } = parsed.message;
  if (typeof id !== 'string' || model === '<synthetic>') return null;
  const used = isObject(usage) ? usage : {};
  const calls = (Array.isArray(content) ? content : []).filter(
    (block: unknown) => isObject(block) && block.type === 'tool_use',
  );
  return {
    id,
    model: typeof model === 'string' ? model : null,
    tokens: count(used.input_tokens) + count(used.output_tokens) + count(used.cache_creation_input_tokens),
    calls: calls.flatMap(({ id: call }) => (typeof call === 'string' ? [call] : [])),
    ...asksFor(
      calls.map(({ name }) => name),
      `${OWN_PREFIX}${HANDSHAKE_TOOL}`,
    ),
  };
}

/** Reads a transcript from a byte offset; a response is written in several lines, one for each of its blocks. */
export function readTranscript(file: string, offset: number, lastMessage: string | null): TranscriptReading {
  return readResponses(file, offset, lastMessage, toResponse);
}

/** The session's transcript, and a subagent's own beside it; none when the host names none. */
export function transcriptFiles(transcriptPath: string | null, agentId: string | null): string[] {
  if (transcriptPath === null) return [];
  if (agentId === null || !/^[\w-]+$/.test(agentId)) return [transcriptPath];
  return [transcriptPath, `${transcriptPath.replace(/\.jsonl$/, '')}/subagents/agent-${agentId}.jsonl`];
}

export function transcriptOf({ transcriptPath, agentId }: HookInput): TranscriptSource | null {
  const files = transcriptFiles(transcriptPath, agentId);
  return files.length === 0 ? null : { files, read: readTranscript };
}
