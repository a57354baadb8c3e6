import type { Db } from '../../platform/sqlite.ts';

/** Raised whenever a table changes; a database of another version is rebuilt, a newer one is refused. */
export const SCHEMA_VERSION = 1;

const TABLES = `
  CREATE TABLE IF NOT EXISTS log (
    name TEXT PRIMARY KEY, size INTEGER NOT NULL, inode TEXT NOT NULL, changed_ns TEXT NOT NULL, lines INTEGER NOT NULL
  ) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS head (
    log TEXT NOT NULL, writer TEXT NOT NULL, seq INTEGER NOT NULL, hash TEXT NOT NULL, PRIMARY KEY (log, writer)
  ) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS session (
    id TEXT PRIMARY KEY, state TEXT NOT NULL, intent_id TEXT, pending_id TEXT, halt_reason TEXT, halt_intent TEXT,
    host TEXT, model TEXT, reasoning TEXT, updated_at TEXT NOT NULL
  ) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS streak (
    session_id TEXT PRIMARY KEY, identity TEXT NOT NULL, count INTEGER NOT NULL
  ) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS usage (
    intent_id TEXT PRIMARY KEY, turns INTEGER NOT NULL, tokens INTEGER NOT NULL
  ) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS trip (
    intent_id TEXT PRIMARY KEY, reason TEXT NOT NULL, written INTEGER NOT NULL
  ) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS call (
    session_id TEXT NOT NULL, call_id TEXT NOT NULL, receipt_id TEXT NOT NULL, intent_id TEXT, detail TEXT NOT NULL,
    mark INTEGER NOT NULL, started_ms INTEGER NOT NULL, PRIMARY KEY (session_id, call_id)
  ) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS preimage (
    session_id TEXT NOT NULL, call_id TEXT NOT NULL, path TEXT NOT NULL, hash TEXT, content BLOB,
    PRIMARY KEY (session_id, call_id, path)
  );
  CREATE TABLE IF NOT EXISTS transcript (
    path TEXT PRIMARY KEY, session_id TEXT NOT NULL, offset INTEGER NOT NULL, last_message TEXT, model TEXT
  ) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS mutation (
    id INTEGER PRIMARY KEY, intent_id TEXT NOT NULL, path TEXT, offset INTEGER NOT NULL
  );
  CREATE INDEX IF NOT EXISTS mutation_by_intent ON mutation (intent_id, id);
  CREATE TABLE IF NOT EXISTS owner (
    path TEXT PRIMARY KEY, intent_id TEXT NOT NULL, intent_name TEXT NOT NULL, content_hash TEXT NOT NULL,
    changed_at TEXT NOT NULL, earlier TEXT NOT NULL
  ) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS compiled (file TEXT PRIMARY KEY, digest TEXT NOT NULL, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS note (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
`;

/** Creates the tables in an empty database and marks it with {@link SCHEMA_VERSION}. */
export function createSchema(db: Db): void {
  db.exec(TABLES);
  db.pragma(`user_version = ${SCHEMA_VERSION}`);
}

/** The version a database was made with; 0 for an empty one. */
export function schemaVersion(db: Db): number {
  return Number(db.pragma('user_version', { simple: true }));
}
