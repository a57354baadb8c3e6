import { canonicalJson, type JsonValue } from '../../../core/json.ts';
import { addAt, type JsonPath, type JsonText, nodeAt, nodeIn, removeAt, valueAt } from './json-edit.ts';
import { readTree } from './json-tree.ts';

/** One value that belongs into a file of a host. `'-'` as the last step appends to an array. */
export interface Entry {
  readonly path: JsonPath;
  readonly value: JsonValue;
}

/** Values that stood in a file before us but look like ours: empty containers, and members that a host adds itself. */
export type Kept = readonly string[];

/**
 * Finds everything of ours in a text, in the order of the file. `first` is the text before anything was taken out:
 * what counts as ours may hang on what stood beside it.
 */
export type FindOurs = (first: JsonText, kept: Kept) => (now: JsonText) => JsonPath[];

export function sameJson(a: unknown, b: unknown): boolean {
  return canonicalJson(a) === canonicalJson(b);
}

function keyOf(path: JsonPath): string {
  return JSON.stringify(path);
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

/** Takes out everything of ours, and containers that became empty by it; what was empty before us stays. */
export function strip(json: JsonText, kept: Kept, ours: FindOurs): JsonText {
  const find = ours(json, kept);
  let now = json;
  for (;;) {
    let path = lastOf(now, find(now));
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
  return [...kept];
}

function isThere(json: JsonText, { path, value }: Entry): boolean {
  if (path.at(-1) !== '-') return sameJson(valueAt(json, path) ?? null, value);
  const items = valueAt(json, path.slice(0, -1));
  return Array.isArray(items) && items.some((item) => sameJson(item, value));
}

/** True when exactly these entries are there and nothing else of ours. */
export function isInstalled(json: JsonText, entries: readonly Entry[], kept: Kept, ours: FindOurs): boolean {
  if (!entries.every((entry) => isThere(json, entry))) return false;
  const found = ours(json, kept)(json).map((path) => valueAt(json, path) ?? null);
  return (
    found.length <= entries.length &&
    found.every((value) => entries.some((entry) => sameJson(entry.value, value)))
  );
}

/** Adds what is not there yet. */
export function add(json: JsonText, entries: readonly Entry[]): JsonText {
  return entries.reduce(
    (now, entry) => (isThere(now, entry) ? now : addAt(now, entry.path, entry.value)),
    json,
  );
}
