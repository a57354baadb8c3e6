import { isObject, type JsonObject, type JsonValue } from '../../../core/json.ts';
import { anchorOf } from '../../../models/responses/items.ts';
import type { HiddenExchange } from '../hidden.ts';

/** Puts a hidden exchange before the visible rest of its answer, in place of what it holds already. */
function putBack(
  input: readonly JsonValue[],
  { anchors, turns, shown }: HiddenExchange,
): readonly JsonValue[] {
  const keys = input.map((item) => (isObject(item) ? anchorOf(item) : null));
  const at = keys.findIndex((key) => key !== null && anchors.includes(key));
  if (at < 0) return input;
  const held = new Set(shown.map(anchorOf));
  let from = at;
  while (from > 0 && held.has(keys[from - 1] ?? '')) from -= 1;
  return [...input.slice(0, from), ...turns, ...input.slice(at)];
}

export function putBackHidden(
  input: readonly JsonValue[],
  exchanges: readonly HiddenExchange[],
): readonly JsonValue[] {
  return exchanges.reduce(putBack, input);
}

/** What of the visible answer's own last part it can be known by, the surest first. */
export function anchorsOf(items: readonly JsonObject[]): string[] {
  const keys = items.flatMap((item) => anchorOf(item) ?? []);
  const sure = keys.filter((key) => !key.startsWith('text:'));
  return sure.length > 0 ? sure : keys;
}
