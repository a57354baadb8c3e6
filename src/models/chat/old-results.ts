import { isObject, type JsonValue } from '../../core/json.ts';
import type { MapResults } from '../compact.ts';

/** Results before the model last spoke. */
export const mapOldResults: MapResults = (body, change) => {
  if (!Array.isArray(body.messages)) return body;
  const last = body.messages.findLastIndex((message) => isObject(message) && message.role === 'assistant');
  const messages = body.messages.map((message, at): JsonValue => {
    if (at >= last || !isObject(message) || message.role !== 'tool' || typeof message.content !== 'string')
      return message;
    const changed = change({ id: String(message.tool_call_id), text: message.content });
    return changed === null ? message : { ...message, content: changed };
  });
  return { ...body, messages };
};
