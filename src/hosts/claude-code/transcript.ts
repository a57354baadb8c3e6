import { isObject } from '../../core/json.ts';
import { HANDSHAKE_TOOL } from '../../core/words.ts';
import type { TranscriptReading, TranscriptSource } from '../../hooks/requests.ts';
import { count, linesOf } from '../shared/decode/transcript.ts';
import type { HookInput } from './decode.ts';
import { OWN_PREFIX } from './tools.ts';

interface Entry {
  readonly id: string;
  readonly model: string | null;
  readonly tokens: number;
  readonly calls: readonly { readonly id: string; readonly name: string }[];
}

/**
 * One line of the host's transcript, when it is a model response. Tokens read from the provider's cache are not
 * counted: every turn reads the whole conversation again, and a budget is about new work.
 */
function toEntry(parsed: unknown): Entry | null {
  if (!isObject(parsed) || parsed.type !== 'assistant' || !isObject(parsed.message)) return null;
  const { id, model, usage, content } = parsed.message;
  if (typeof id !== 'string' || model === '<synthetic>') return null;
  const used = isObject(usage) ? usage : {};
  const blocks = Array.isArray(content) ? content : [];
  return {
    id,
    model: typeof model === 'string' ? model : null,
    tokens: count(used.input_tokens) + count(used.output_tokens) + count(used.cache_creation_input_tokens),
    calls: blocks.flatMap((block: unknown) =>
      isObject(block) &&
      block.type === 'tool_use' &&
      typeof block.id === 'string' &&
      typeof block.name === 'string'
        ? [{ id: block.id, name: block.name }]
        : [],
    ),
  };
}

/**
 * Reads a transcript from a byte offset (one that was cut from its beginning): whole lines only, a response written in several lines counted once. The
 * handshake's own exchange counts in no budget (C-33).
 */
export function readTranscript(file: string, offset: number, lastMessage: string | null): TranscriptReading {
  const { lines, offset: next } = linesOf(file, offset);
  const entries = lines.flatMap((line) => toEntry(line) ?? []);
  const handshakes = new Set(
    entries
      .filter(({ calls }) => calls.some(({ name }) => name === `${OWN_PREFIX}${HANDSHAKE_TOOL}`))
      .map(({ id }) => id),
  );
  let [turns, tokens] = [0, 0];
  let model: string | null = null;
  let last = lastMessage;
  for (const entry of entries) {
    model = entry.model ?? model;
    if (entry.id === last) continue;
    last = entry.id;
    if (handshakes.has(entry.id)) continue;
    turns += 1;
    tokens += entry.tokens;
  }
  return {
    offset: next,
    turns,
    tokens,
    model,
    lastMessage: last,
    calls: entries.flatMap(({ calls }) => calls.map(({ id }) => id)),
  };
}

/** The session's transcript, and a subagent's own beside it. */
export function transcriptOf(input: HookInput): TranscriptSource | null {
  const { transcriptPath, agentId } = input;
  if (transcriptPath === null) return null;
  const files = [transcriptPath];
  if (agentId !== null && /^[\w-]+$/.test(agentId))
    files.push(`${transcriptPath.replace(/\.jsonl$/, '')}/subagents/agent-${agentId}.jsonl`);
  return {
    files,
    read: readTranscript,
  };
}
