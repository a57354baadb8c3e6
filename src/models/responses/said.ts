import type { JsonObject } from '../../core/json.ts';
import { callOf, isSpeech, resultOf } from './items.ts';

/**
 * What a model said, as input of the next request. Where the provider keeps nothing, a reasoning item that carries
 * none of its content would be looked for in vain; a call that cannot be answered would be an error.
 */
export function sayable(items: readonly JsonObject[], asked: JsonObject): JsonObject[] {
  return items.filter((item) => {
    if (item.type === 'reasoning') return asked.store !== false || typeof item.encrypted_content === 'string';
    return isSpeech(item) || resultOf(callOf(item), '') !== null;
  });
}
