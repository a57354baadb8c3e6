import { isObject, type JsonObject } from '../../../core/json.ts';
import { handlersOf, isOurHandler } from '../../shared/install/hook-groups.ts';
import { trustHash, trustKey } from './wiring.ts';

/** One handler of ours as the host finds it, with what its trust is kept under. */
export interface Registered {
  readonly file: string;
  readonly event: string;
  readonly matcher: unknown;
  readonly handler: JsonObject;
  readonly key: string;
  readonly hash: string | null;
}

/** Handlers of ours in what `hooks.json` holds. */
export function registeredIn(file: string, value: unknown): Registered[] {
  const hooks = isObject(value) && isObject(value.hooks) ? value.hooks : {};
  return Object.entries(hooks).flatMap(([event, groups]) =>
    (Array.isArray(groups) ? groups : []).flatMap((group: unknown, at: number) =>
      handlersOf(group).flatMap((handler, index) =>
        isOurHandler(handler)
          ? [
              {
                file,
                event,
                matcher: isObject(group) ? group.matcher : undefined,
                handler,
                key: trustKey(file, event, at, index),
                hash: trustHash(event, isObject(group) ? group.matcher : undefined, handler),
              },
            ]
          : [],
      ),
    ),
  );
}
