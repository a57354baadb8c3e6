import { isObject, type JsonObject } from '../../core/json.ts';
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
 * hosts share: the whole group where it holds nothing else, else the handler alone.
 */
export function hookPaths(json: JsonText): JsonPath[] {
  const root = valueAt(json, []);
  const hooks = isObject(root) && isObject(root.hooks) ? root.hooks : {};
  const paths: JsonPath[] = [];
  for (const [event, groups] of Object.entries(hooks))
    for (const [at, group] of (Array.isArray(groups) ? groups : []).entries()) {
      const handlers = handlersOf(group);
      const ours = [...handlers.keys()].filter((index) => isOurHandler(handlers[index]));
      if (ours.length > 0 && ours.length === handlers.length) paths.push(['hooks', event, at]);
      else for (const index of ours) paths.push(['hooks', event, at, 'hooks', index]);
    }
  return paths;
}
