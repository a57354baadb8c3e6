import { isObject, type JsonObject, type JsonValue } from '../../core/json.ts';
import type { MapResults } from '../compact.ts';

function textOf(content: JsonValue | undefined): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .flatMap((part) => (isObject(part) && typeof part.text === 'string' ? [part.text] : []))
    .join('\n');
}

/** Results before the model last spoke; those with pictures in them stay. */
export const mapOldResults: MapResults = (body, change) => {
  if (!Array.isArray(body.messages)) return body;
  const last = body.messages.findLastIndex((message) => isObject(message) && message.role === 'assistant');
  const messages = body.messages.map((message, at): JsonValue => {
    if (at >= last || !isObject(message) || !Array.isArray(message.content)) return message;
    const content = message.content.map((block): JsonValue => {
      if (!isObject(block) || block.type !== 'tool_result') return block;
      const text = textOf(block.content);
      const isText =
        !Array.isArray(block.content) ||
        block.content.every((part) => isObject(part) && part.type === 'text');
      const changed = isText ? change({ id: String(block.tool_use_id), text }) : null;
      return changed === null ? block : ({ ...block, content: changed } satisfies JsonObject);
    });
    return { ...message, content };
  });
  return { ...body, messages };
};
