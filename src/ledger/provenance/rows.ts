import { fingerprintLine, unpackFingerprints } from '../../core/fingerprint.ts';
import type { Db } from '../../platform/sqlite.ts';
import type { LedgerLine } from './ledger-line.ts';

/** Rows of one INSERT statement: fewer calls into SQLite, each of which costs more than a row. */
const ROWS_PER_STATEMENT = 50;

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

/** First 52 bits of a SHA-256 in hex: a number that both JavaScript and SQLite hold exactly. */
export function toHashKey(hex: string): number {
  return Number.parseInt(hex.slice(0, 13), 16);
}

/** Rows waiting to be written, each table's laid flat. */
export class PendingRows {
  readonly file: number[] = [];
  readonly move: number[] = [];
  readonly hash: number[] = [];
  readonly line: number[] = [];
  /** Paths by the number they have in this batch; their ids are known once the first step has run. */
  readonly #paths = new Map<string, number>();
  readonly #ids: number[] = [];

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
    const number = this.#paths.get(path) ?? this.#paths.size;
    this.#paths.set(path, number);
    return number;
  }

  #storePaths(db: Db): void {
    const insert = db.prepare('INSERT OR IGNORE INTO prov_path (path) VALUES (?)');
    const select = db.prepare<[string], number>('SELECT id FROM prov_path WHERE path = ?').pluck();
    for (const [path, number] of this.#paths) {
      insert.run(path);
      this.#ids[number] = select.get(path)!;
    }
  }

  /** Cuts the rows into steps of bounded length, each table's in key order so that B-tree pages are met once. */
  *steps(db: Db, rowsPerStep: number): Generator<() => void> {
    yield () => this.#storePaths(db);
    const ids = this.#ids;
    yield* tableSteps(db, { name: 'prov_file', width: 2, pathColumns: [0] }, this.file, ids, rowsPerStep);
    yield* tableSteps(db, { name: 'prov_move', width: 2, pathColumns: [0, 1] }, this.move, ids, rowsPerStep);
    yield* tableSteps(db, { name: 'prov_hash', width: 2, pathColumns: [] }, this.hash, ids, rowsPerStep);
    yield* tableSteps(db, { name: 'prov_line', width: 3, pathColumns: [1] }, this.line, ids, rowsPerStep);
  }
}

interface Table {
  readonly name: string;
  readonly width: number;
  readonly pathColumns: readonly number[];
}

function* tableSteps(
  db: Db,
  { name, width, pathColumns }: Table,
  flat: readonly number[],
  ids: readonly number[],
  rowsPerStep: number,
): Generator<() => void> {
  const order = orderByFirst(flat, width);
  const tuple = `(${Array(width).fill('?').join(',')})`;
  const insert = (rows: number) =>
    db.prepare<number[]>(`INSERT OR IGNORE INTO ${name} VALUES ${Array(rows).fill(tuple).join(',')}`);
  const many = insert(ROWS_PER_STATEMENT);
  for (let from = 0; from < order.length; from += rowsPerStep) {
    const to = Math.min(order.length, from + rowsPerStep);
    yield () => {
      for (let at = from; at < to; at += ROWS_PER_STATEMENT) {
        const rows = order.subarray(at, Math.min(to, at + ROWS_PER_STATEMENT));
        const values: number[] = [];
        for (const row of rows) {
          for (let k = 0; k < width; k++) {
            const value = flat[row * width + k]!;
            values.push(pathColumns.includes(k) ? ids[value]! : value);
          }
        }
        (rows.length === ROWS_PER_STATEMENT ? many : insert(rows.length)).run(...values);
      }
    };
  }
}

/** Row numbers in the order of their first column. Typed arrays sort ten times faster than arrays of rows. */
function orderByFirst(flat: readonly number[], width: number): Float64Array {
  const count = flat.length / width;
  const rowBits = 2 ** 21;
  // The row number rides in the low bits; dropping the key's low bits only costs a little locality.
  let largest = 1;
  for (let row = 0; row < count; row++) largest = Math.max(largest, flat[row * width]!);
  const shrink = Math.max(1, 2 ** Math.ceil(Math.log2((largest + 1) / 2 ** 32)));
  const keys = new Float64Array(count);
  for (let row = 0; row < count; row++) keys[row] = Math.floor(flat[row * width]! / shrink) * rowBits + row;
  return keys.sort().map((key) => key % rowBits);
}
