import Database from 'better-sqlite3';
import { messageOf, PactError } from '../core/errors.ts';
import { closeToOthers } from './files.ts';
import { takeInTurn } from './turns.ts';

export type Db = Database.Database;
export type Statement<Values extends unknown[]> = Database.Statement<Values>;

declare const PACTCLAW_NATIVE_SQLITE: string | undefined;

/** Set by the bundle: the native module's own path spares a search of the file system at every start. */
const nativeBinding = typeof PACTCLAW_NATIVE_SQLITE === 'string' ? PACTCLAW_NATIVE_SQLITE : undefined;

/** Opens a file with the native module, and says so when that is what is missing: no state is damaged then. */
function open(path: string, options: Database.Options): Db {
  try {
    return new Database(path, options);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    const isMissing = code === 'MODULE_NOT_FOUND' || code === 'ERR_DLOPEN_FAILED';
    if (!isMissing && !/could not locate the bindings file/i.test(messageOf(error))) throw error;
    throw new PactError(
      'UNAVAILABLE',
      `the native part of better-sqlite3 is missing, or was built for another Node than ${process.version}`,
      "Run `npm rebuild better-sqlite3` where PactClaw is installed, with this Node, and with npm's ignore-scripts off. Nothing of the workspace is damaged.",
      {},
      { cause: error },
    );
  }
}

/**
 * Opens (or creates) a database in write-ahead mode. `busyMs` bounds the wait for another process's lock; when it
 * is over, SQLite throws and the caller refuses. synchronous=NORMAL is enough because the logs, which are fsynced,
 * are the truth and the database is a view of them.
 */
export function openDatabase(
  path: string,
  options: { readonly busyMs: number; readonly readonly?: boolean },
): Db {
  const db = open(path, {
    timeout: Math.ceil(options.busyMs),
    ...(options.readonly ? { readonly: true } : {}),
    ...(nativeBinding === undefined ? {} : { nativeBinding }),
  });
  try {
    if (!options.readonly) {
      db.pragma('journal_mode = WAL');
      db.pragma('synchronous = NORMAL');
      // It keeps contents of files from before a call, and other users must not read some of them.
      for (const suffix of ['', '-wal', '-shm']) closeToOthers(`${path}${suffix}`);
    }
  } catch (error) {
    db.close();
    throw error;
  }
  return db;
}

const STATEMENTS = new WeakMap<Db, Map<string, Database.Statement>>();

/** A statement of a database, prepared when it is first asked for and kept as long as the database. */
function statement(db: Db, sql: string): Database.Statement {
  const known = STATEMENTS.get(db) ?? new Map<string, Database.Statement>();
  if (known.size === 0) STATEMENTS.set(db, known);
  const made = known.get(sql) ?? db.prepare(sql);
  if (!known.has(sql)) known.set(sql, made);
  return made;
}

/** Takes a database for this connection alone: no other may even read until it is closed. */
export function beginExclusive(db: Db): void {
  db.pragma('locking_mode = EXCLUSIVE');
  db.exec('BEGIN EXCLUSIVE');
}

/** Undoes the transaction that is open, if one is. */
export function rollback(db: Db): void {
  if (db.inTransaction) statement(db, 'ROLLBACK').run();
}

/** SQLite's own wait for what needs no turn: readers that meet a recovery or the end of a log. */
const OTHER_BUSY_MS = 5_000;

/** Whether SQLite could not do something because another connection has a lock. */
export function isBusy(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_BUSY');
}

/**
 * Carries the write-ahead log over into the database, which needs no lock, and empties it, which needs all of them for a
 * moment and waits for nobody. Throws SQLite's error if the disk fails.
 */
export function emptyLog(db: Db): void {
  db.pragma('wal_checkpoint(PASSIVE)');
  statement(db, 'PRAGMA busy_timeout = 0').get();
  try {
    db.pragma('wal_checkpoint(TRUNCATE)');
  } finally {
    statement(db, `PRAGMA busy_timeout = ${OTHER_BUSY_MS}`).get();
  }
}

/**
 * Takes the write lock, waiting at most `busyMs` in the order of arrival among all processes. SQLite's own waiting
 * knows no order: of many processes some would wait in vain. Throws SQLite's error when the time is over.
 */
export function beginImmediate(db: Db, busyMs: number): void {
  let busy: unknown = null;
  // Prepared statements: a pragma that is parsed at each event costs more than the transaction's own statements.
  statement(db, 'PRAGMA busy_timeout = 0').get();
  try {
    const taken = takeInTurn(`${db.name}-queue`, busyMs, () => {
      try {
        statement(db, 'BEGIN IMMEDIATE').run();
        return true;
      } catch (error) {
        if (!isBusy(error)) throw error;
        busy = error;
        return false;
      }
    });
    if (!taken) throw busy;
  } finally {
    statement(db, `PRAGMA busy_timeout = ${OTHER_BUSY_MS}`).get();
  }
}
