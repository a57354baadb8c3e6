import { sha256 } from '../../../core/digest.ts';
import { isObject, type JsonObject, type JsonValue } from '../../../core/json.ts';
import type { HiddenExchange } from '../hidden.ts';

function textOf(blocks: readonly JsonValue[]): string {
  return blocks
    .flatMap((block) => (isObject(block) && block.type === 'text' ? [String(block.text)] : []))
    .join('')
    .trim();
}

/** What an assistant's message is known by: the ids of its calls, else its text. */
export function anchorsOf(blocks: readonly JsonValue[]): string[] {
  const ids = blocks.flatMap((block) =>
    isObject(block) && block.type === 'tool_use' && typeof block.id === 'string' ? [`id:${block.id}`] : [],
  );
  if (ids.length > 0) return ids;
  const text = textOf(blocks);
  return text === '' ? [] : [`text:${sha256(text.toWellFormed())}`];
}

function isSame(a: JsonObject, b: JsonValue | undefined): boolean {
  if (!isObject(b) || a.type !== b.type) return false;
  return a.type !== 'text' || a.text === b.text;
}

/** Client's blocks without those that the hidden turns hold already. A client may have left some of them out. */
function withoutShown(blocks: readonly JsonValue[], shown: readonly JsonObject[]): JsonValue[] {
  let at = 0;
  for (const block of shown) if (isSame(block, blocks[at])) at += 1;
  return blocks.slice(at);
}

function blocksIn({ content }: JsonObject): readonly JsonValue[] {
  return Array.isArray(content) ? content : [{ type: 'text', text: String(content) }];
}

function exchangeOf(
  blocks: readonly JsonValue[],
  byAnchor: ReadonlyMap<string, HiddenExchange>,
): HiddenExchange | undefined {
  for (const anchor of anchorsOf(blocks)) {
    const found = byAnchor.get(anchor);
    if (found) return found;
  }
  return undefined;
}

/** Puts hidden exchanges back before the visible rest of the answer that each belongs to. */
export function putBackHidden(
  messages: readonly JsonObject[],
  exchanges: readonly HiddenExchange[],
): readonly JsonObject[] {
  if (exchanges.length === 0) return messages;
  const byAnchor = new Map(exchanges.flatMap((one) => one.anchors.map((anchor) => [anchor, one] as const)));
  const whole: JsonObject[] = [];
  for (const message of messages) {
    const blocks = message.role === 'assistant' ? blocksIn(message) : null;
    const found = blocks && exchangeOf(blocks, byAnchor);
    if (!found) {
      whole.push(message);
      continue;
    }
    const rest = withoutShown(blocks, found.shown);
    whole.push(...found.turns, ...(rest.length === 0 ? [] : [{ ...message, content: rest }]));
  }
  return whole;
}
