import { hash } from 'node:crypto';

/**
 * Line fingerprints: how a line is recognised after it moved or was re-indented (H-80, H-83).
 *
 * A line is handled as a *byte string* (one char code per byte), so that text in any encoding, or in none,
 * is cut, hashed and compared exactly as it lies on disk.
 */

/**
 * Version of the rules below. Bump it when a rule changes: records keep what the rules of their day gave,
 * and the index refuses to mix versions.
 *
 * 1: line end dropped, ASCII blanks at both ends trimmed, inner runs of them one space; SHA-256 of those
 * bytes; first 48 bits, of which the last is cleared and serves as the {@link CARRIED} mark.
 */
export const FINGERPRINT_VERSION = 1;

/** Bytes that a packed fingerprint takes. */
export const FINGERPRINT_BYTES = 6;

/** Added to a packed fingerprint when the mutation moved or re-indented a line that was already there. */
export const CARRIED = 1;

/** A line with fewer word characters proves nothing about where it came from. */
export const MIN_WORD_CHARS = 4;

/** A lone line in a foreign file needs this many word characters to count as evidence. */
export const STRONG_WORD_CHARS = 20;

/** How much a line says of its origin: nothing, something in company, or enough alone. */
export type LineWeight = 'trivial' | 'weak' | 'strong';

const BLANKS = /[ \t\r\n\v\f]+/g;
const KEYWORD_ONLY =
  /^(?:begin|break|continue|default|done|else|esac|false|finally|null|pass|return|then|this|true|void)$/;
const LONGEST_KEYWORD = 8;
/** Fast check that avoids the slower pattern below for most lines. */
const MAYBE_IMPORT = /^\s*(?:import|from|export|#|using|package|use|['"]use|const|let|var)/;
const IMPORT_LIKE =
  /^(?:import\b|from \S+ import\b|export (?:\*|\{.*\}|type \{.*\}) from\b|#include\b|#!|using [\w.:]+;|package [\w.]+;?$|use (?:strict\b|[\w:{}, *]+;)|['"]use strict|(?:const|let|var) .{0,200}= ?require\()/;

/** Cuts a file into lines, line ends kept, the way `sed` counts them: only LF ends a line. */
export function splitLines(bytes: Uint8Array): string[] {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  const lines: string[] = [];
  for (let start = 0; start < text.length; ) {
    const lf = text.indexOf('\n', start);
    const end = lf === -1 ? text.length : lf + 1;
    lines.push(text.slice(start, end));
    start = end;
  }
  return lines;
}

/** The form of a line that its fingerprint is taken of. ASCII blanks only: `\s` would eat UTF-8 bytes (0xA0). */
export function normaliseLine(line: string): string {
  const spaced = line.replace(BLANKS, ' ');
  return spaced.slice(spaced.startsWith(' ') ? 1 : 0, spaced.length - (spaced.endsWith(' ') ? 1 : 0));
}

/** Letters, digits, underscores and multi-byte characters of a byte string. */
export function countWordChars(line: string): number {
  let count = 0;
  for (let i = 0; i < line.length; i++) {
    const c = line.charCodeAt(i);
    // A byte from 0xC0 on leads a UTF-8 sequence: one character, whatever its length.
    if ((c >= 97 && c <= 122) || (c >= 65 && c <= 90) || (c >= 48 && c <= 57) || c === 95 || c >= 0xc0)
      count++;
  }
  return count;
}

/** True for a line that stands in every file: blank, braces, a bare keyword, too few word characters. */
export function isTrivial(line: string, wordChars: number = countWordChars(line)): boolean {
  if (wordChars < MIN_WORD_CHARS) return true;
  return wordChars <= LONGEST_KEYWORD && KEYWORD_ONLY.test(line.replace(/[^\w\x80-\xff]+/g, ''));
}

/** True for a line that many files share because the language asks for it (imports, includes). */
export function isImportLike(line: string): boolean {
  return MAYBE_IMPORT.test(line) && IMPORT_LIKE.test(normaliseLine(line));
}

/** Weight of a line as evidence. Imports are long but common, so they never count alone. */
export function weighLine(line: string): LineWeight {
  const wordChars = countWordChars(line);
  if (isTrivial(line, wordChars)) return 'trivial';
  return wordChars >= STRONG_WORD_CHARS && !isImportLike(line) ? 'strong' : 'weak';
}

/** Fingerprint of a line: an even integer below 2^48. */
export function fingerprintLine(line: string): number {
  const text = normaliseLine(line);
  // ASCII is its own UTF-8. Only other bytes need a conversion that keeps them unchanged.
  const data = /[\x80-\xff]/.test(text) ? Buffer.from(text, 'latin1') : text;
  const bits = Number.parseInt(hash('sha256', data, 'hex').slice(0, FINGERPRINT_BYTES * 2), 16);
  return bits - (bits % 2);
}

/** Fingerprint of the blank line, which the matcher skips. */
export const BLANK_FINGERPRINT = fingerprintLine('');

/** Packs fingerprints for `TraceRange.lines`: base64 of six big-endian bytes each. */
export function packFingerprints(prints: readonly number[]): string {
  const bytes = Buffer.allocUnsafe(prints.length * FINGERPRINT_BYTES);
  prints.forEach((print, i) => {
    bytes.writeUIntBE(print, i * FINGERPRINT_BYTES, FINGERPRINT_BYTES);
  });
  return bytes.toString('base64');
}

/** Reads `TraceRange.lines`. A torn tail (fewer than six bytes) is dropped: recorded text is not trusted. */
export function unpackFingerprints(packed: string): number[] {
  const bytes = Buffer.from(packed, 'base64');
  const prints: number[] = [];
  for (let at = 0; at + FINGERPRINT_BYTES <= bytes.length; at += FINGERPRINT_BYTES) {
    prints.push(bytes.readUInt16BE(at) * 0x1_0000_0000 + bytes.readUInt32BE(at + 2));
  }
  return prints;
}
