import { resolve } from 'node:path/posix';
import { isObject, type JsonObject } from '../../core/json.ts';
import type { ToolCall } from '../../core/tool-call.ts';
import { HANDSHAKE_TOOL } from '../../core/words.ts';
import { callOf } from '../shared/decode/call.ts';
import { type HookInput, hookInput } from '../shared/decode/hook-input.ts';
import { malformed, optionalText, textAt } from '../shared/decode/payload.ts';
import { HOST, OWN_PREFIX, TOOLS } from './tools.ts';

/** Reads the bytes of a hook's standard input. */
export function decodeInput(bytes: Uint8Array): HookInput {
  return hookInput(HOST, bytes);
}

/** `select:` of our own handshake tool and nothing else: how this host shows a tool that it has deferred. */
function findsHandshake(name: string, args: JsonObject): boolean {
  return name === 'tool_search' && args.query === `select:${OWN_PREFIX}${HANDSHAKE_TOOL}`;
}

/** The folder a command starts in: tools that run one may name it, absolute or from the session's folder. */
function folderOf(cwd: string, { directory }: JsonObject): string {
  return typeof directory === 'string' && directory !== '' ? resolve(cwd, directory) : cwd;
}

/**
 * Decodes a tool event into the call that the engine judges. Of the host's two ids its own (`tool_use_id`) counts: the
 * model's (`tool_call_id`) repeats with some providers, and then a new call would be taken for one that has ended.
 */
export function decodeCall(input: HookInput): ToolCall {
  const { raw, sessionId, agentId } = input;
  const name = textAt(HOST, raw, 'tool_name');
  const args = raw.tool_input ?? {};
  if (!isObject(args)) throw malformed(HOST, 'tool_input is not an object');
  return callOf(
    {
      host: HOST,
      sessionId,
      cwd: TOOLS[name]?.command === undefined ? input.cwd : folderOf(input.cwd, args),
      callId: optionalText(raw, 'tool_use_id'),
      name,
      args,
      agentId,
      findsHandshake: findsHandshake(name, args),
    },
    TOOLS,
  );
}
