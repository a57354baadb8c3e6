import { PactError } from '../../../core/errors.ts';
import { isObject, type JsonObject } from '../../../core/json.ts';

const MAX_ID = 256;

/** A message of the host that cannot be read; the call it speaks of is refused. */
export function malformed(host: string, message: string): PactError {
  return new PactError(
    'INVALID_INPUT',
    `the host's message cannot be understood: ${message}`,
    `Check that the host is a supported version: pactclaw verify ${host}.`,
  );
}

/** The JSON object that a hook was given; anything else throws. */
export function payloadOf(host: string, bytes: Uint8Array): JsonObject {
  let content: string;
  try {
    content = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw malformed(host, 'it is not UTF-8');
  }
  let raw: unknown;
  try {
    raw = JSON.parse(content);
  } catch {
    throw malformed(host, content.trim() === '' ? 'it is empty' : 'it is not JSON');
  }
  if (!isObject(raw)) throw malformed(host, 'it is not a JSON object');
  return raw;
}

/** A text that must be there and not empty. */
export function textAt(host: string, raw: JsonObject, key: string): string {
  const value = raw[key];
  if (typeof value !== 'string' || value === '') throw malformed(host, `${key} is missing`);
  return value;
}

/** A text that may be missing; an empty one counts as missing. */
export function optionalText(raw: JsonObject, key: string): string | null {
  const value = raw[key];
  return typeof value === 'string' && value !== '' ? value : null;
}

/** An identifier of a session: it becomes a key of the state, so its length and its characters are bounded. */
export function identifierAt(host: string, raw: JsonObject, key: string): string {
  const value = textAt(host, raw, key);
  if (value.length > MAX_ID || !value.isWellFormed()) throw malformed(host, `${key} is not an identifier`);
  return value;
}
