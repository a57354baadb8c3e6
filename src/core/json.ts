/** JSON values and their canonical form (RFC 8785). */

export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: JsonValue | undefined;
}

/** True for a plain JSON object (not null, not an array). */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Canonical JSON: keys in UTF-16 order, no spaces, ECMAScript numbers and strings (RFC 8785).
 * Keys whose value is undefined are left out. Throws a TypeError on NaN, infinities, lone surrogates and
 * values that JSON cannot hold, because two readers must never disagree on hashed bytes.
 */
export function canonicalJson(value: unknown): string {
  switch (typeof value) {
    case 'string':
      if (!value.isWellFormed()) throw new TypeError('canonical JSON cannot hold a lone surrogate');
      return JSON.stringify(value);
    case 'number':
      if (!Number.isFinite(value)) throw new TypeError(`canonical JSON cannot hold ${value}`);
      return JSON.stringify(value);
    case 'boolean':
      return value ? 'true' : 'false';
    case 'object':
      break;
    default:
      throw new TypeError(`canonical JSON cannot hold a ${typeof value}`);
  }
  if (value === null) return 'null';
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item)).join(',')}]`;
  const source = value as Record<string, unknown>;
  let text = '';
  for (const key of Object.keys(source).sort()) {
    const member = source[key];
    if (member === undefined) continue;
    text += `${text === '' ? '' : ','}${canonicalJson(key)}:${canonicalJson(member)}`;
  }
  return `{${text}}`;
}

/** Replaces lone surrogates so that foreign text can be recorded; well-formed text is returned as it is. */
export function toWellFormed(text: string): string {
  return text.isWellFormed() ? text : text.toWellFormed();
}

/** The same value with every lone surrogate in it replaced, keys included: what an agent names must be recordable. */
export function wellFormed<T>(value: T): T {
  if (typeof value === 'string') return toWellFormed(value) as T;
  if (Array.isArray(value)) return value.map((item) => wellFormed(item)) as T;
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [toWellFormed(key), wellFormed(member)]),
  ) as T;
}
