import { isObject } from '../../core/json.ts';
import type { ToolCall } from '../../core/tool-call.ts';
import { callOf } from '../shared/decode/call.ts';
import { type HookInput, hookInput } from '../shared/decode/hook-input.ts';
import { malformed, optionalText, textAt } from '../shared/decode/payload.ts';
import { HOST, TOOLS } from './tools.ts';

/** Reads the bytes of a hook's standard input. */
export function decodeInput(bytes: Uint8Array): HookInput {
  return hookInput(HOST, bytes);
}

/** Decodes a tool event into the call that the engine judges. A call may have no id. */
export function decodeCall({ raw, sessionId, cwd, agentId }: HookInput): ToolCall {
  const name = textAt(HOST, raw, 'tool_name');
  const args = raw.tool_input ?? {};
  if (!isObject(args)) throw malformed(HOST, 'tool_input is not an object');
  const callId = optionalText(raw, 'tool_use_id');
  return callOf({ host: HOST, sessionId, cwd, callId, name, args, agentId }, TOOLS);
}
