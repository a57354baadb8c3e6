import type { ToolCall } from '../../core/tool-call.ts';
import { type CallShape, decodeShaped } from '../shared/claude-shaped.ts';
import { type HookInput, hookInput } from '../shared/decode/hook-input.ts';
import { OWN_PREFIX, TOOLS } from './tools.ts';

export const HOST = 'claude-code';

/** How the host's calls are read. It loads a tool that it has deferred by `select:`. */
export const CALLS: CallShape = {
  host: HOST,
  tools: TOOLS,
  callIdKey: 'tool_use_id',
  finder: { tool: 'ToolSearch', prefix: OWN_PREFIX },
};

/** Reads the bytes of a hook's standard input. Anything that is not one JSON object of the host's shape throws. */
export function decodeInput(bytes: Uint8Array): HookInput {
  return hookInput(HOST, bytes);
}

/** Decodes a tool event into the call that the engine judges. Throws a PactError on what it cannot decode. */
export function decodeCall(input: HookInput): ToolCall {
  return decodeShaped(CALLS, input);
}
