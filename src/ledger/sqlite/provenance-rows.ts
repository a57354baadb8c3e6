import type { Db } from '../../platform/sqlite.ts';
import type { IndexRows } from '../provenance/port.ts';

/** Rows of one INSERT statement: fewer calls into SQLite, each of which costs more than a row. */
const ROWS_PER_STATEMENT = 50;

function storePaths(db: Db, paths: ReadonlyMap<string, number>, ids: number[]): void {
  const insert = db.prepare('INSERT OR IGNORE INTO prov_path (path) VALUES (?)');
  const select = db.prepare<[string], number>('SELECT id FROM prov_path WHERE path = ?').pluck();
  for (const [path, number] of paths) {
    insert.run(path);
    ids[number] = select.get(path)!;
  }
}

/** Cuts rows into steps of bounded length, each table's in key order so that B-tree pages are met once. */
export function* indexSteps(db: Db, rows: IndexRows, rowsPerStep: number): Generator<() => void> {
  const ids: number[] = [];
  yield () => storePaths(db, rows.paths, ids);
  yield* tableSteps(db, { name: 'prov_file', width: 2, pathColumns: [0] }, rows.file, ids, rowsPerStep);
  yield* tableSteps(db, { name: 'prov_move', width: 2, pathColumns: [0, 1] }, rows.move, ids, rowsPerStep);
  yield* tableSteps(db, { name: 'prov_hash', width: 2, pathColumns: [] }, rows.hash, ids, rowsPerStep);
  yield* tableSteps(db, { name: 'prov_line', width: 3, pathColumns: [1] }, rows.line, ids, rowsPerStep);
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
