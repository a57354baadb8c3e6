import type { ToolCall } from '../../core/tool-call.ts';
import { type CallShape, decodeShaped } from '../shared/claude-shaped.ts';
import type { HookInput } from '../shared/decode/hook-input.ts';
import { HOST, OWN_PREFIX, TOOLS } from './tools.ts';

/**
 * How the host's calls are read. Of its two ids its own (`tool_use_id`) counts: the model's (`tool_call_id`) repeats with
 * some providers, and then a new call would be taken for one that has ended.
 */
export const CALLS: CallShape = {
  host: HOST,
  tools: TOOLS,
  callIdKey: 'tool_use_id',
  folderKey: 'directory',
  finder: { tool: 'tool_search', prefix: OWN_PREFIX },
};

/** Decodes a tool event into the call that the engine judges. Throws a PactError on what it cannot decode. */
export function decodeCall(input: HookInput): ToolCall {
  return decodeShaped(CALLS, input);
}
