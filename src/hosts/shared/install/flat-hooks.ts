import { isObject, type JsonObject } from '../../../core/json.ts';
import { isOurHandler } from './hook-groups.ts';
import { type JsonPath, type JsonText, valueAt } from './json-edit.ts';

/** One of our handlers among the hooks of an event. */
interface PlacedHandler {
  readonly event: string;
  readonly at: number;
  readonly handler: JsonObject;
}

/** Our handlers in hooks of the flat shape `{EVENT: [{command}]}`, by event and place. */
export function ourHandlers(hooks: unknown): PlacedHandler[] {
  return Object.entries(isObject(hooks) ? hooks : {}).flatMap(([event, handlers]) =>
    (Array.isArray(handlers) ? handlers : []).flatMap((handler: unknown, at) =>
      isOurHandler(handler) ? [{ event, at, handler }] : [],
    ),
  );
}

/** Their paths in a file that has such hooks under `hooks`. */
export function ourPaths(json: JsonText): JsonPath[] {
  const root = valueAt(json, []);
  return ourHandlers(isObject(root) ? root.hooks : {}).map(({ event, at }) => ['hooks', event, at]);
}
