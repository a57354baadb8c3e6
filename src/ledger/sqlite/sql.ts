import { type Db, isBusy, type Statement } from '../../platform/sqlite.ts';
import { StorageError, type StorageProblem } from '../port.ts';

type Value = string | number | bigint | Buffer | null;
type Prepared = Statement<Value[]>;

/** What an error code of SQLite means to the ledger (sqlite.org/rescode.html). */
function problemOf(code: string): StorageProblem {
  if (code === 'SQLITE_NOTADB' || code.startsWith('SQLITE_CORRUPT')) return 'damaged';
  if (code === 'SQLITE_FULL') return 'full';
  return code.startsWith('SQLITE_READONLY') ? 'readonly' : 'other';
}

/** An error as the port names it; what does not come from SQLite is left as it is. */
export function translated(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof StorageError) return error;
  if (isBusy(error)) return new StorageError('locked', error);
  const code = 'code' in error ? String(error.code) : '';
  return code.startsWith('SQLITE_') ? new StorageError(problemOf(code), error) : error;
}

/** Whether an error says that the database is no sound one. */
export function isDamage(error: unknown): boolean {
  const named = translated(error);
  return named instanceof StorageError && named.problem === 'damaged';
}

/** Statements of one database, each prepared when it is first asked for and kept. Throws what the port knows. */
export class Sql {
  readonly #statements = new Map<string, Prepared>();

  constructor(readonly db: Db) {}

  #prepared(sql: string): Prepared {
    const known = this.#statements.get(sql);
    if (known) return known;
    const made = this.db.prepare<Value[]>(sql);
    this.#statements.set(sql, made);
    return made;
  }

  run(sql: string, ...values: Value[]): void {
    try {
      this.#prepared(sql).run(...values);
    } catch (error) {
      throw translated(error);
    }
  }

  get<Row>(sql: string, ...values: Value[]): Row | undefined {
    try {
      return this.#prepared(sql).get(...values) as Row | undefined;
    } catch (error) {
      throw translated(error);
    }
  }

  all<Row>(sql: string, ...values: Value[]): Row[] {
    try {
      return this.#prepared(sql).all(...values) as Row[];
    } catch (error) {
      throw translated(error);
    }
  }

  /** Rows as arrays, one by one. */
  *rows(sql: string): Generator<unknown> {
    try {
      yield* this.db.prepare(sql).raw().iterate();
    } catch (error) {
      throw translated(error);
    }
  }
}
