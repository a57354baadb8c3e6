import { isObject, type JsonValue } from '../../../core/json.ts';
import { EVENTS } from '../handle.ts';
import { addAt, type JsonPath, type JsonText, nodeAt, nodeIn, removeAt, valueAt } from './json-edit.ts';
import { readTree } from './json-tree.ts';
import {
  groupFor,
  handlersOf,
  isOurHandler,
  isOurServer,
  SERVER,
  sameJson,
  serverFor,
  type Wiring,
} from './wiring.ts';

/** One value that belongs into a file of the host. `'-'` as the last step appends to an array. */
export interface Entry {
  readonly path: JsonPath;
  readonly value: JsonValue;
}

/** What was in a file before us and would otherwise be taken for ours: empty containers, and our name in a list. */
export type Kept = readonly string[];

const ENABLED = 'enabledMcpjsonServers';

function keyOf(path: JsonPath): string {
  return JSON.stringify(path);
}

/** Hook entries of a settings file. A server of `.mcp.json` needs approval too, which is given beside them. */
export function hookEntries(wiring: Wiring, approveServer: boolean): Entry[] {
  const hooks = EVENTS.map((event) => ({ path: ['hooks', event, '-'], value: groupFor(event, wiring) }));
  return approveServer ? [...hooks, { path: [ENABLED, '-'], value: SERVER }] : hooks;
}

export function serverEntries(wiring: Wiring, path: readonly string[]): Entry[] {
  return [{ path: [...path, SERVER], value: serverFor(wiring) }];
}

/** Paths of everything of ours in a text, in the order of the file. */
function ourPaths(json: JsonText, servers: readonly string[] | null): JsonPath[] {
  const paths: JsonPath[] = [];
  if (servers !== null) {
    const server = nodeAt(json, servers)?.kind === 'object' ? valueAt(json, [...servers, SERVER]) : undefined;
    return isOurServer(server) ? [[...servers, SERVER]] : [];
  }
  const root = valueAt(json, []);
  if (!isObject(root)) return [];
  const hooks = isObject(root.hooks) ? root.hooks : {};
  for (const [event, groups] of Object.entries(hooks))
    for (const [at, group] of (Array.isArray(groups) ? groups : []).entries()) {
      const handlers = handlersOf(group);
      const ours = [...handlers.keys()].filter((index) => isOurHandler(handlers[index]));
      if (ours.length > 0 && ours.length === handlers.length) paths.push(['hooks', event, at]);
      else for (const index of ours) paths.push(['hooks', event, at, 'hooks', index]);
    }
  const enabled = root[ENABLED];
  if (Array.isArray(enabled))
    for (const [at, name] of enabled.entries()) if (name === SERVER) paths.push([ENABLED, at]);
  return paths;
}

/** The path that stands last in the text: it goes first, so that what was added last is undone first. */
function lastOf(json: JsonText, paths: readonly JsonPath[]): JsonPath | null {
  const root = readTree(json.text, json.file);
  let last: { readonly path: JsonPath; readonly start: number } | null = null;
  for (const path of paths) {
    const start = nodeIn(root, json, path)?.start ?? -1;
    if (last === null || start > last.start) last = { path, start };
  }
  return last?.path ?? null;
}

function isEmptyContainer(json: JsonText, path: JsonPath): boolean {
  const node = nodeAt(json, path);
  return node !== null && node.kind !== 'scalar' && node.children.length === 0;
}

/**
 * Takes out everything of ours, and containers that became empty by it; what was empty before us stays. Our name in
 * the list of servers is ours only beside hooks of ours: alone, a human wrote it.
 */
export function strip(json: JsonText, kept: Kept, servers: readonly string[] | null): JsonText {
  const keepsName = kept.includes(SERVER) || !ourPaths(json, servers).some((path) => path[0] === 'hooks');
  let now = json;
  for (;;) {
    const ours = ourPaths(now, servers).filter((path) => path[0] !== ENABLED || !keepsName);
    let path = lastOf(now, ours);
    if (path === null) return now;
    now = removeAt(now, path);
    for (path = path.slice(0, -1); path.length > 0; path = path.slice(0, -1)) {
      if (!isEmptyContainer(now, path) || kept.includes(keyOf(path))) break;
      now = removeAt(now, path);
    }
  }
}

/** What {@link strip} must leave alone later, told from a text that has nothing of ours in it. */
export function keptIn(json: JsonText, entries: readonly Entry[]): Kept {
  const kept = new Set<string>();
  for (const { path } of entries)
    for (let depth = 1; depth < path.length; depth += 1) {
      const way = path.slice(0, depth);
      if (isEmptyContainer(json, way)) kept.add(keyOf(way));
    }
  const enabled = isObject(valueAt(json, [])) ? valueAt(json, [ENABLED]) : undefined;
  if (Array.isArray(enabled) && enabled.includes(SERVER)) kept.add(SERVER);
  return [...kept];
}

function isThere(json: JsonText, { path, value }: Entry): boolean {
  if (path.at(-1) !== '-') return sameJson(valueAt(json, path) ?? null, value);
  const items = valueAt(json, path.slice(0, -1));
  return Array.isArray(items) && items.some((item) => sameJson(item, value));
}

/** True when exactly these entries are there and nothing else of ours. */
export function isInstalled(
  json: JsonText,
  entries: readonly Entry[],
  servers: readonly string[] | null,
): boolean {
  if (!entries.every((entry) => isThere(json, entry))) return false;
  const others = ourPaths(json, servers).filter((path) => servers !== null || path[0] !== ENABLED);
  return others.length === entries.filter(({ path }) => path[0] !== ENABLED).length;
}

/** Adds what is not there yet. */
export function add(json: JsonText, entries: readonly Entry[]): JsonText {
  return entries.reduce(
    (now, entry) => (isThere(now, entry) ? now : addAt(now, entry.path, entry.value)),
    json,
  );
}
