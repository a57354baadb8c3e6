import { isObject, type JsonObject } from '../../../core/json.ts';
import { type JsonPath, type JsonText, valueAt } from './json-edit.ts';

/** True for a handler that calls our launcher, whoever wrote it and wherever PactClaw was installed then. */
export function isOurHandler(handler: unknown): handler is JsonObject {
  if (!isObject(handler) || typeof handler.command !== 'string') return false;
  return /(?:^|[/\\\s"'])pactclaw-hook(?:$|[\s"'])/.test(handler.command);
}

/** Handlers of a hook group; none when it is not of that shape. */
export function handlersOf(group: unknown): readonly unknown[] {
  return isObject(group) && Array.isArray(group.hooks) ? group.hooks : [];
}

/**
 * Paths of our handlers in settings of the shape `{hooks: {EVENT: [{matcher, hooks: [{command}]}]}}`, which several
 * hosts share: the whole group where it holds nothing else, else the handler alone. `at` is where the events stand.
 */
export function hookPaths(json: JsonText, at: JsonPath = ['hooks']): JsonPath[] {
  const root = valueAt(json, []);
  const found = isObject(root) ? valueAt(json, at) : {};
  const hooks = isObject(found) ? found : {};
  const paths: JsonPath[] = [];
  for (const [event, groups] of Object.entries(hooks))
    for (const [index, group] of (Array.isArray(groups) ? groups : []).entries()) {
      const handlers = handlersOf(group);
      const ours = [...handlers.keys()].filter((one) => isOurHandler(handlers[one]));
      if (ours.length > 0 && ours.length === handlers.length) paths.push([...at, event, index]);
      else for (const one of ours) paths.push([...at, event, index, 'hooks', one]);
    }
  return paths;
}
