import { resolve } from 'node:path/posix';
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

/** The host's id of the call that an event is about, or null. */
export function callIdOf({ raw }: HookInput): string | null {
  return optionalText(raw, 'tool_call_id');
}

/** Decodes a tool event into the call that the engine judges. Throws a PactError on what it cannot decode. */
export function decodeCall(input: HookInput): ToolCall {
  const { raw, sessionId, agentId } = input;
  const name = textAt(HOST, raw, 'tool_name');
  const args = raw.tool_input ?? {};
  if (!isObject(args)) throw malformed(HOST, 'tool_input is not an object');
  // A command may name a folder to run in; relative paths of it start there.
  const cwd = name === 'Bash' && typeof args.cwd === 'string' ? resolve(input.cwd, args.cwd) : input.cwd;
  return callOf({ host: HOST, sessionId, cwd, callId: callIdOf(input), name, args, agentId }, TOOLS);
}
