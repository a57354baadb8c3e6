import { isObject, type JsonValue } from '../core/json.ts';
import { randomHex } from '../platform/clock.ts';

/** Stands before a number that is carried as text; nobody outside the process knows it. */
const MARK = `\u0000${randomHex(12)}:`;
const MARKED = new RegExp(`"\\\\u0000${MARK.slice(1)}([^"]*)"`, 'g');
/** A text without this has no number that JavaScript would change by more than its spelling. */
const LONG = /\d[\d.]{15}|\d[eE][+-]?\d/;
const STRING = String.raw`"[^"\\]*(?:\\.[^"\\]*)*"`;
const STRING_OR_NUMBER = new RegExp(`${STRING}|-?\\d[\\d.eE+-]*`, 'gs');
const STRING_OR_COLON = new RegExp(`${STRING}|:`, 'gs');

function marked(token: string): string {
  if (token.startsWith('"') || JSON.stringify(Number(token)) === token) return token;
  return JSON.stringify(MARK + token);
}

/**
 * Reads JSON that is to be written again by {@link writeExact}: numbers that JavaScript would change, such as integers
 * over 2^53, keep their digits. Such a number is a text meanwhile, so rules must read what `JSON.parse` gives. `value`
 * is what that gave; it is returned itself where nothing needs care.
 */
export function exactly<T>(text: string, value: T): T {
  return LONG.test(text) ? (JSON.parse(text.replace(STRING_OR_NUMBER, marked)) as T) : value;
}

/** Writes what {@link exactly} read, changed or not. */
export function writeExact(value: unknown): string {
  const text = JSON.stringify(value);
  return text.includes(MARK.slice(1)) ? text.replace(MARKED, '$1') : text;
}

function membersIn(value: JsonValue | undefined): number {
  if (Array.isArray(value)) return value.reduce((sum: number, one) => sum + membersIn(one), 0);
  if (!isObject(value)) return 0;
  return Object.values(value).reduce((sum: number, one) => sum + 1 + membersIn(one), 0);
}

/**
 * Whether a JSON text has an object with two keys of one name, of which readers differ in which counts (RFC 8259 §4).
 * `value`: what JSON.parse made of the text; a key that came twice is in it once.
 */
export function repeatsKey(text: string, value: JsonValue): boolean {
  let colons = 0;
  for (const [token] of text.matchAll(STRING_OR_COLON)) if (token === ':') colons += 1;
  return colons !== membersIn(value);
}
