import { sha256 } from '../../../core/digest.ts';
import { isObject, type JsonObject } from '../../../core/json.ts';
import { partsOf, textOf } from '../../../models/gemini/parts.ts';
import { randomHex } from '../../../platform/clock.ts';
import type { HiddenExchange } from '../hidden.ts';

/** Ids that the door gives calls which came without one; the provider never sees them. */
const OWN_ID = 'pactclaw_';

/** An id for a call that came without one. */
export function newId(): string {
  return `${OWN_ID}${randomHex(8)}`;
}

/** What a content of the model's is known by: the ids of its calls, else its text. */
export function anchorsOf(parts: readonly JsonObject[]): string[] {
  const ids = parts.flatMap(({ functionCall: call }) =>
    isObject(call) && typeof call.id === 'string' ? [`id:${call.id}`] : [],
  );
  if (ids.length > 0) return ids;
  const text = textOf(parts).trim();
  return text === '' ? [] : [`text:${sha256(text.toWellFormed())}`];
}

/** Parts without the words that the hidden turns hold already; clients join and cut texts, and drop thoughts. */
function withoutShown(parts: readonly JsonObject[], shown: readonly JsonObject[]): JsonObject[] {
  let before = textOf(shown);
  if (!textOf(parts).startsWith(before)) return [...parts];
  const rest: JsonObject[] = [];
  for (const part of parts) {
    const isWords = typeof part.text === 'string';
    if (before === '' || !isWords) rest.push(part);
    else if (part.thought !== true) {
      const text = String(part.text);
      if (text.length > before.length) rest.push({ ...part, text: text.slice(before.length) });
      before = before.slice(text.length);
    }
  }
  return rest;
}

/** Puts hidden exchanges back before the visible rest of the answer that each belongs to. */
export function putBackHidden(
  contents: readonly JsonObject[],
  exchanges: readonly HiddenExchange[],
): readonly JsonObject[] {
  if (exchanges.length === 0) return contents;
  const byAnchor = new Map(exchanges.flatMap((one) => one.anchors.map((anchor) => [anchor, one] as const)));
  return contents.flatMap((content) => {
    if (content.role !== 'model') return [content];
    const parts = partsOf(content);
    const found = anchorsOf(parts).flatMap((anchor) => byAnchor.get(anchor) ?? [])[0];
    if (!found) return [content];
    const rest = withoutShown(parts, found.shown);
    return [...found.turns, ...(rest.length === 0 ? [] : [{ ...content, parts: rest }])];
  });
}

function withoutOwnId(part: JsonObject, key: 'functionCall' | 'functionResponse'): JsonObject {
  const inner = part[key];
  if (!isObject(inner) || typeof inner.id !== 'string' || !inner.id.startsWith(OWN_ID)) return part;
  const { id: _, ...rest } = inner;
  return { ...part, [key]: rest };
}

/** A history without the ids that the door gave; the very same list when there are none. */
export function withoutOwnIds(contents: readonly JsonObject[]): readonly JsonObject[] {
  if (!JSON.stringify(contents).includes(`"${OWN_ID}`)) return contents;
  return contents.map((content) => ({
    ...content,
    parts: partsOf(content).map((part) =>
      withoutOwnId(withoutOwnId(part, 'functionCall'), 'functionResponse'),
    ),
  }));
}
