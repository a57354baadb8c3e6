import { fingerprintLine, unpackFingerprints } from '../../core/fingerprint.ts';
import type { LedgerLine } from './ledger-line.ts';
import type { IndexRows } from './port.ts';

/** Lines that stand in every file. Not indexing them halves the index and loses nothing: they prove nothing. */
const EVERYWHERE = new Set(
  [
    '',
    '}',
    '{',
    '};',
    '},',
    '});',
    '})',
    ')',
    ');',
    '),',
    ']',
    '];',
    '],',
    '(',
    '[',
    '/**',
    '*/',
    '*',
    '//',
    '#',
  ].map(fingerprintLine),
);

/** First 52 bits of a SHA-256 in hex: a number that JavaScript and databases hold exactly. */
export function toHashKey(hex: string): number {
  return Number.parseInt(hex.slice(0, 13), 16);
}

/** Rows waiting to be written, each table's laid flat. */
export class PendingRows implements IndexRows {
  readonly file: number[] = [];
  readonly move: number[] = [];
  readonly hash: number[] = [];
  readonly line: number[] = [];
  readonly paths = new Map<string, number>();

  get size(): number {
    return this.file.length / 2 + this.hash.length / 2 + this.line.length / 3;
  }

  /** Adds what finds a record: its paths, its hashes, its lines. */
  add({ record, offset }: LedgerLine): void {
    this.hash.push(toHashKey(record.content_hash), offset);
    if (record.path === null) return;
    const path = this.#pathId(record.path);
    this.file.push(path, offset);
    if (record.from_path !== undefined) this.move.push(path, this.#pathId(record.from_path));
    for (const range of record.ranges) {
      if (range.content_hash !== record.content_hash) this.hash.push(toHashKey(range.content_hash), offset);
      for (const marked of unpackFingerprints(range.lines)) {
        const print = marked - (marked % 2);
        if (!EVERYWHERE.has(print)) this.line.push(print, path, offset);
      }
    }
  }

  #pathId(path: string): number {
    const number = this.paths.get(path) ?? this.paths.size;
    this.paths.set(path, number);
    return number;
  }
}
