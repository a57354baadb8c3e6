import { isObject, type JsonObject, type JsonValue } from '../../core/json.ts';
import type { ToolCall } from '../../core/tool-call.ts';
import { callOf } from '../shared/decode/call.ts';
import { malformed, optionalText, textAt } from '../shared/decode/payload.ts';
import { type PluginEvent, tokensAt } from '../shared/in-process/message.ts';
import { HOST } from './names.ts';
import { TOOLS } from './tools.ts';

/** The call that `tool_call`, `tool_result` and `tool_execution_end` speak of. */
export function decodeCall({ sessionId, cwd, input }: PluginEvent): ToolCall {
  const args = input.input;
  if (!isObject(args)) throw malformed(HOST, 'the arguments are not an object');
  const name = textAt(HOST, input, 'toolName');
  return callOf({ host: HOST, sessionId, cwd, callId: optionalText(input, 'toolCallId'), name, args }, TOOLS);
}

/** How a call ended. */
export function endOf({ input }: PluginEvent): { ok: boolean; result: JsonValue } {
  return { ok: input.isError !== true, result: input.content ?? null };
}

/** A model response; what the provider read from its cache is not counted, as for every host. */
export function responseOf(message: JsonObject): { tokens: number; model: string | null } {
  const usage = isObject(message.usage) ? message.usage : {};
  return { tokens: tokensAt(usage, 'input', 'output', 'cacheWrite'), model: optionalText(message, 'model') };
}
