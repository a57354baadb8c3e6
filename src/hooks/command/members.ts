import type { Members } from '../../core/footprints/footprint.ts';
import { canonicalJson, isObject, type JsonObject, wellFormed } from '../../core/json.ts';

/** A JSON object from bytes; null when they hold none. */
export function objectIn(content: Buffer | null): JsonObject | null {
  try {
    const value: unknown = content === null ? null : JSON.parse(content.toString('utf8'));
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

/** The object without what stands at a path of members, and without objects that hold nothing after it. */
export function without(value: JsonObject, [name, ...rest]: Members): JsonObject {
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) => {
      if (name !== '*' && name !== key) return [[key, inner]];
      if (rest.length === 0) return [];
      if (!isObject(inner)) return [[key, inner]];
      const left = without(inner, rest);
      return Object.keys(left).length === 0 ? [] : [[key, left]];
    }),
  );
}

/** What of an object stands at a path of members. */
function only(value: JsonObject, [name, ...rest]: Members): JsonObject {
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) => {
      if (name !== '*' && name !== key) return [];
      if (rest.length === 0) return [[key, inner]];
      const found = isObject(inner) ? only(inner, rest) : {};
      return Object.keys(found).length === 0 ? [] : [[key, found]];
    }),
  );
}

function merged(into: JsonObject, from: JsonObject): JsonObject {
  const added = Object.entries(from).map(([key, value]) => {
    const there = into[key];
    return [key, isObject(there) && isObject(value) ? merged(there, value) : value] as const;
  });
  return { ...into, ...Object.fromEntries(added) };
}

function inProject(members: readonly Members[], project: string): readonly Members[] {
  return members.map((path) => path.map((name) => (name === '$project' ? project : name)));
}

/** The members of a settings file that matter, as canonical JSON. A file that holds no object has none. */
export function membersOf(content: Buffer | null, members: readonly Members[], project: string): Buffer {
  const value = objectIn(content) ?? {};
  const parts = inProject(members, project).map((path) => only(value, path));
  return Buffer.from(canonicalJson(wellFormed(parts.reduce(merged, {}))));
}

/**
 * A settings file with these members as they were in `before`, and everything else as it is now. The very bytes of
 * before where nothing else has changed, or where nothing is left that could be kept.
 */
export function withMembers(
  now: Buffer | null,
  members: readonly Members[],
  project: string,
  before: Buffer | null,
): Buffer {
  const paths = inProject(members, project);
  const rest = (content: Buffer | null) => paths.reduce(without, objectIn(content) ?? {});
  const [left, old] = [rest(now), rest(before)].map((value) => canonicalJson(wellFormed(value)));
  if (before !== null && (objectIn(now) === null || left === old)) return before;
  const known = objectIn(membersOf(before, members, project)) ?? {};
  return Buffer.from(`${JSON.stringify(merged(rest(now), known), null, 2)}\n`);
}
