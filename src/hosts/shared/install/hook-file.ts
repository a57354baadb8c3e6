import { isObject, type JsonObject, type JsonValue } from '../../../core/json.ts';
import { ourHandlers, ourPaths } from './flat-hooks.ts';
import { hookPaths, isOurHandler } from './hook-groups.ts';
import { type JsonPath, type JsonText, valueAt } from './json-edit.ts';
import type { FindOurs, Kept } from './merge.ts';
import { hooksIn } from './settings-files.ts';

/** One of our hooks in a host's file, its parts found wherever the layout has them. */
export interface PlacedHook {
  readonly event: string;
  /** The entry as it stands, or our handler where others share the entry. */
  readonly entry: JsonObject;
  readonly command: unknown;
  readonly type: unknown;
  readonly matcher: unknown;
  readonly timeout: unknown;
}

/** How a file of hooks is laid out. */
interface Layout {
  /** Where the hook of an event is added. */
  readonly at: (event: string) => JsonPath;
  readonly ours: FindOurs;
  readonly read: (value: JsonObject | null) => PlacedHook[];
  readonly alsoKept?: (json: JsonText) => Kept;
}

const VERSION = 'version';

function hasVersion(json: JsonText): boolean {
  const value = valueAt(json, []);
  return isObject(value) && value[VERSION] !== undefined;
}

/** Our hooks in a list of hooks, with their places. */
function listed(value: JsonValue | undefined): { readonly at: number; readonly hook: JsonObject }[] {
  const hooks = isObject(value) && Array.isArray(value.hooks) ? value.hooks : [];
  return hooks.flatMap((hook: unknown, at) =>
    isObject(hook) && isOurHandler(hook.action) ? [{ at, hook: hook as JsonObject }] : [],
  );
}

/** Our hooks of a list, and the version where it came with them. */
const oursInList: FindOurs = (first, kept) => {
  const cameWithUs = !kept.includes(VERSION) && listed(valueAt(first, [])).length > 0;
  return (now) => [
    ...(cameWithUs && hasVersion(now) ? [[VERSION]] : []),
    ...listed(valueAt(now, [])).map(({ at }): JsonPath => ['hooks', at]),
  ];
};

/** The layouts that hosts give their files of hooks. */
export const LAYOUTS: Readonly<Record<'flat' | 'groups' | 'list', Layout>> = {
  flat: {
    at: (event) => ['hooks', event, '-'],
    ours: () => ourPaths,
    read: (value) =>
      ourHandlers(value?.hooks).map(({ event, handler }) => {
        const { command, type = 'command', matcher, timeout } = handler;
        return { event, entry: handler, command, type, matcher, timeout };
      }),
  },
  groups: {
    at: (event) => [event, '-'],
    ours: () => (json) => hookPaths(json, []),
    read: (value) =>
      hooksIn([{ level: '', file: '', value: { hooks: value ?? {} }, fault: null }]).map(
        ({ event, matcher, handler }) => {
          const entry = { matcher: (matcher ?? null) as JsonValue, handler };
          return { event, entry, matcher, ...pick(handler) };
        },
      ),
  },
  list: {
    at: () => ['hooks', '-'],
    ours: oursInList,
    read: (value) =>
      listed(value ?? {}).map(({ hook }) => {
        const { command, type } = pick(isObject(hook.action) ? hook.action : {});
        const { matcher, timeout } = hook;
        return { event: String(hook.trigger), entry: hook, command, type, matcher, timeout };
      }),
    alsoKept: (json) => (hasVersion(json) ? [VERSION] : []),
  },
};

function pick({ command, type, timeout }: JsonObject) {
  return { command, type, timeout };
}
