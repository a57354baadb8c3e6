import { isObject, type JsonValue } from '../../core/json.ts';
import type { MapResults } from '../compact.ts';
import { isOutput } from './items.ts';

/** Results before the model last spoke. */
export const mapOldResults: MapResults = (body, change) => {
  if (!Array.isArray(body.input)) return body;
  const last = body.input.findLastIndex((item) => isObject(item) && !isOutput(item) && item.role !== 'user');
  const input = body.input.map((item, at): JsonValue => {
    if (at >= last || !isObject(item) || !isOutput(item) || typeof item.output !== 'string') return item;
    const changed = change({ id: String(item.call_id), text: item.output });
    return changed === null ? item : { ...item, output: changed };
  });
  return { ...body, input };
};
