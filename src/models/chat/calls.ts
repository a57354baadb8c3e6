import { isObject, type JsonObject } from '../../core/json.ts';
import { asking } from '../asking.ts';
import { readArgs } from '../json-args.ts';
import { type AskedCall, count, type TokenUse } from '../shapes.ts';

/** Tests a text for what must not stand in a chunk that goes on as it came. */
export const asksForCall = asking(/"(?:tool_calls|function_call)"/);

/** Whether a value has a key that asks for a call, in whatever case a reader may take it, wherever in it. */
export function asksUnderKey(value: JsonObject): boolean {
  return /"(?:tool_calls|function_call)":/iu.test(JSON.stringify(value));
}

/** The deprecated way to ask, which is refused. */
export const LEGACY_CALL: AskedCall = {
  id: '',
  name: 'function_call',
  args: null,
  fault: 'it is a function_call, which is not governed here',
};

/** A tool call of a message. A custom tool takes one text instead of JSON. */
export function callOf(call: JsonObject): AskedCall {
  const id = typeof call.id === 'string' ? call.id : '';
  const isCustom = call.type === 'custom';
  const inner = isCustom ? call.custom : call.function;
  const name = isObject(inner) && typeof inner.name === 'string' ? inner.name : '';
  if (!isObject(inner) || id === '' || name === '')
    return { id, name, args: null, fault: 'it has no id or no name' };
  if (isCustom) return { id, name, args: { input: String(inner.input ?? '') }, fault: null };
  const { arguments: text } = inner;
  if (text !== undefined && typeof text !== 'string')
    return { id, name, args: null, fault: 'its arguments are no text' };
  return { id, name, ...readArgs(text ?? '') };
}

/** New work that a usage object tells of. */
export function useOf(usage: unknown): TokenUse | null {
  if (!isObject(usage) || (usage.prompt_tokens === undefined && usage.completion_tokens === undefined))
    return null;
  const details = isObject(usage.prompt_tokens_details) ? usage.prompt_tokens_details : {};
  return {
    input: Math.max(0, count(usage.prompt_tokens) - count(details.cached_tokens)),
    output: count(usage.completion_tokens),
  };
}

/** Why the answer finished, when some of its calls were replaced. */
export function finishReason(upstream: unknown, callsLeft: number): string | null {
  if ((upstream === 'tool_calls' || upstream === 'function_call') && callsLeft === 0) return 'stop';
  return typeof upstream === 'string' ? upstream : null;
}

/** True for a key that a reader which ignores case would take for one of those that ask for a call. */
export function isOtherCase(key: string): boolean {
  return key !== 'tool_calls' && key !== 'function_call' && /^(?:tool_calls|function_call)$/iu.test(key);
}
