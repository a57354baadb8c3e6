import { isObject, type JsonValue } from '../../core/json.ts';
import type { MapResults } from '../compact.ts';
import { spelled } from './parts.ts';

/** Results before the model last spoke; those that are no single text stay. */
export const mapOldResults: MapResults = (body, change) => {
  if (!Array.isArray(body.contents)) return body;
  const last = body.contents.findLastIndex((content) => isObject(content) && content.role === 'model');
  const contents = body.contents.map((content, at): JsonValue => {
    if (at >= last || !isObject(content) || !Array.isArray(content.parts)) return content;
    const parts = content.parts.map((part): JsonValue => {
      const own = isObject(part) ? spelled(part) : {};
      const { functionResponse: result } = own;
      if (!isObject(result) || !isObject(result.response) || typeof result.response.output !== 'string')
        return part;
      const changed = change({ id: String(result.id ?? result.name), text: result.response.output });
      if (changed === null) return part;
      return { ...own, functionResponse: { ...result, response: { ...result.response, output: changed } } };
    });
    return { ...content, parts };
  });
  return { ...body, contents };
};
