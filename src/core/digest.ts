import { hash } from 'node:crypto';
import { canonicalJson } from './json.ts';

/**
 * SHA-256 of bytes or of a string's UTF-8, as 64 lower-case hex digits (H-72, C-46). Uses one call, because creating
 * a hash object for every line of a log costs as much as the hashing.
 */
export function sha256(data: string | Uint8Array): string {
  return hash('sha256', data, 'hex');
}

/** SHA-256 of a value's canonical JSON. */
export function digestOf(value: unknown): string {
  return sha256(canonicalJson(value));
}

/** The hash a chain begins with: the first record of a writer names it as its predecessor. */
export const GENESIS = '0'.repeat(64);
