import Database from 'better-sqlite3';

export type Db = Database.Database;

declare const PACTCLAW_NATIVE_SQLITE: string | undefined;

/** Set by the bundle: the native module's own path spares a search of the file system at every start. */
const nativeBinding = typeof PACTCLAW_NATIVE_SQLITE === 'string' ? PACTCLAW_NATIVE_SQLITE : undefined;

/**
 * Opens (or creates) a database in write-ahead mode. `busyMs` bounds the wait for another process's lock; when it
 * is over, SQLite throws and the caller refuses. synchronous=NORMAL is enough because the logs, which are fsynced,
 * are the truth and the database is a view of them.
 */
export function openDatabase(
  path: string,
  options: { readonly busyMs: number; readonly readonly?: boolean },
): Db {
  const db = new Database(path, {
    timeout: options.busyMs,
    ...(options.readonly ? { readonly: true } : {}),
    ...(nativeBinding === undefined ? {} : { nativeBinding }),
  });
  try {
    if (!options.readonly) {
      db.pragma('journal_mode = WAL');
      db.pragma('synchronous = NORMAL');
    }
  } catch (error) {
    db.close();
    throw error;
  }
  return db;
}

const STATEMENTS = new WeakMap<Db, Map<string, Database.Statement>>();

/** A statement of a database, prepared when it is first asked for and kept as long as the database. */
export function statement(db: Db, sql: string): Database.Statement {
  const known = STATEMENTS.get(db) ?? new Map<string, Database.Statement>();
  if (known.size === 0) STATEMENTS.set(db, known);
  const made = known.get(sql) ?? db.prepare(sql);
  if (!known.has(sql)) known.set(sql, made);
  return made;
}

/** How long SQLite itself waits in one try; within this it looks again every few milliseconds. */
const TRY_MS = 20;

/**
 * Takes the write lock, waiting at most `busyMs`. SQLite's own waiting looks ever more seldom, so that under many
 * processes the one that waits longest is the least likely to be next; short tries keep the chances equal.
 */
export function beginImmediate(db: Db, busyMs: number): void {
  const until = performance.now() + busyMs;
  db.pragma(`busy_timeout = ${TRY_MS}`);
  try {
    for (;;) {
      try {
        db.exec('BEGIN IMMEDIATE');
        return;
      } catch (error) {
        const code = error instanceof Error && 'code' in error ? String(error.code) : '';
        if (!code.startsWith('SQLITE_BUSY') || performance.now() >= until) throw error;
      }
    }
  } finally {
    db.pragma(`busy_timeout = ${busyMs}`);
  }
}
