import { isObject, type JsonObject } from '../../core/json.ts';
import { asking } from '../asking.ts';
import { readArgs } from '../json-args.ts';
import { type AskedCall, count, type TokenUse } from '../shapes.ts';

/** Tests a text for what must not stand in anything that goes on unjudged. */
export const asksForCall = asking(/"type"\s*:\s*"tool_use"/);

/** Blocks that ask nobody for anything: speech, and what the provider has already done by itself. */
const SPEECH = new Set([
  'text',
  'thinking',
  'redacted_thinking',
  'server_tool_use',
  'mcp_tool_use',
  'mcp_tool_result',
  'container_upload',
  'tool_reference',
  'compaction',
]);

/** True for a block that may be passed on unjudged. A type that nobody knows may be a new way of asking. */
export function isSpeech(type: unknown): boolean {
  return (
    typeof type === 'string' &&
    (SPEECH.has(type) || (type.endsWith('_tool_result') && type !== 'tool_result'))
  );
}

/** The call that a block asks for. `json` is what its deltas brought. */
export function callOf(block: JsonObject, json: string): AskedCall {
  const id = typeof block.id === 'string' ? block.id : '';
  const name = typeof block.name === 'string' ? block.name : '';
  if (block.type !== 'tool_use')
    return { id, name: String(block.type), args: null, fault: 'it is of a kind that nobody here can read' };
  if (id === '' || name === '') return { id, name, args: null, fault: 'it has no id or no name' };
  if (json === '' && isObject(block.input)) return { id, name, args: block.input, fault: null };
  return { id, name, ...readArgs(json) };
}

/** New work that a usage object tells of; null when it tells of none. */
export function useOf(usage: unknown): TokenUse | null {
  if (!isObject(usage) || (usage.input_tokens === undefined && usage.output_tokens === undefined))
    return null;
  return {
    input: count(usage.input_tokens) + count(usage.cache_creation_input_tokens),
    output: count(usage.output_tokens),
  };
}

/** Why the answer stopped, when some of its calls were replaced. */
export function stopReason(upstream: unknown, callsLeft: number): string | null {
  if (upstream === 'tool_use' && callsLeft === 0) return 'end_turn';
  return typeof upstream === 'string' ? upstream : null;
}
