import { messageOf } from '../core/errors.ts';
import { isObject, type JsonObject } from '../core/json.ts';

/** Longest arguments of one call, in characters. */
const MAX_ARGS = 16 << 20;

/** A call's arguments off the wire. An empty text stands for none; anything but one JSON object is a fault. */
export function readArgs(text: string): { readonly args: JsonObject | null; readonly fault: string | null } {
  if (text.length > MAX_ARGS)
    return { args: null, fault: `its arguments are longer than ${MAX_ARGS} characters` };
  if (text.trim() === '') return { args: {}, fault: null };
  try {
    const args: unknown = JSON.parse(text);
    return isObject(args) ? { args, fault: null } : { args: null, fault: 'its arguments are no JSON object' };
  } catch (error) {
    return { args: null, fault: `its arguments are not valid JSON (${messageOf(error).slice(0, 120)})` };
  }
}
