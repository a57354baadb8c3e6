import { sha256 } from '../../../core/digest.ts';
import { isObject, type JsonObject } from '../../../core/json.ts';
import type { HiddenExchange } from '../hidden.ts';

function textOf(message: JsonObject): string {
  const { content } = message;
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .flatMap((part) => (isObject(part) && typeof part.text === 'string' ? [part.text] : []))
    .join('');
}

/** What an assistant's message is known by: the ids of its calls, else its text. */
export function anchorsOf(message: JsonObject): string[] {
  const calls = Array.isArray(message.tool_calls) ? message.tool_calls.filter(isObject) : [];
  if (calls.length > 0) return calls.map(({ id }) => `id:${String(id)}`);
  const text = textOf(message).trim();
  return text === '' ? [] : [`text:${sha256(text.toWellFormed())}`];
}

/** The visible message without the text that the hidden turns hold already. */
function withoutShown(message: JsonObject, shown: readonly JsonObject[]): JsonObject[] {
  const before = shown.map(({ text }) => String(text ?? '')).join('');
  if (before === '' || typeof message.content !== 'string' || !message.content.startsWith(before))
    return [message];
  const content = message.content.slice(before.length);
  if (content.trim() === '' && message.tool_calls === undefined) return [];
  return [{ ...message, content: content === '' ? null : content }];
}

/** Puts hidden exchanges back before the visible rest of the answer that each belongs to. */
export function putBackHidden(
  messages: readonly JsonObject[],
  exchanges: readonly HiddenExchange[],
): readonly JsonObject[] {
  if (exchanges.length === 0) return messages;
  const byAnchor = new Map(exchanges.flatMap((one) => one.anchors.map((anchor) => [anchor, one] as const)));
  return messages.flatMap((message) => {
    if (message.role !== 'assistant') return [message];
    const found = anchorsOf(message)
      .map((anchor) => byAnchor.get(anchor))
      .find((one) => one !== undefined);
    return found ? [...found.turns, ...withoutShown(message, found.shown)] : [message];
  });
}
