import { FINGERPRINT_VERSION } from '../../core/fingerprint.ts';
import type { Db } from '../../platform/sqlite.ts';

/**
 * The provenance index inside state.db: derived from the trace records alone, so it may be dropped at any time.
 *
 * A record is named by the byte offset of its ledger line. Rows hold only what finds a record; the answer is
 * always read from the ledger line itself, so a stale or forged row can hide a record but never invent one.
 */
const INDEX_VERSION = `1.${FINGERPRINT_VERSION}`;

const TABLES = `
  CREATE TABLE IF NOT EXISTS prov_path (id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE);
  CREATE TABLE IF NOT EXISTS prov_file
    (path INTEGER NOT NULL, record INTEGER NOT NULL, PRIMARY KEY (path, record)) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS prov_move
    (path INTEGER NOT NULL, former INTEGER NOT NULL, PRIMARY KEY (path, former)) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS prov_hash
    (hash INTEGER NOT NULL, record INTEGER NOT NULL, PRIMARY KEY (hash, record)) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS prov_line
    (print INTEGER NOT NULL, path INTEGER NOT NULL, record INTEGER NOT NULL,
     PRIMARY KEY (print, path, record)) WITHOUT ROWID;`;

const DATA_TABLES = ['prov_path', 'prov_file', 'prov_move', 'prov_hash', 'prov_line'];

/** How far the index has read the ledger. */
export interface Position {
  /** Where the last indexed line starts: it is read again to see that the ledger is still the same. */
  readonly lastOffset: number;
  readonly lastHash: string;
  readonly records: number;
  /** Counts the times the index was begun anew, so that two processes notice each other. */
  readonly generation: number;
}

/** Creates the tables if they are missing, and begins anew when they are of another version. */
export function ensureSchema(db: Db): void {
  db.exec('CREATE TABLE IF NOT EXISTS prov_meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID');
  if (readMeta(db, 'version') === INDEX_VERSION) return;
  db.transaction(() => {
    if (readMeta(db, 'version') === INDEX_VERSION) return;
    for (const table of DATA_TABLES) db.exec(`DROP TABLE IF EXISTS ${table}`);
    db.exec(TABLES);
    const generation = (readPosition(db)?.generation ?? 0) + 1;
    writeMeta(db, 'position', JSON.stringify({ ...EMPTY, generation }));
    writeMeta(db, 'version', INDEX_VERSION);
  }).immediate();
}

const EMPTY: Position = { lastOffset: -1, lastHash: '', records: 0, generation: 1 };

/** Empties the index: the ledger it was made from is gone. */
export function resetIndex(db: Db): Position {
  return db
    .transaction(() => {
      writeMeta(db, 'version', '');
      ensureSchema(db);
      return getPosition(db);
    })
    .immediate();
}

/** The stored position; `lastOffset` is -1 while nothing is indexed. */
export function getPosition(db: Db): Position {
  return readPosition(db) ?? EMPTY;
}

/** Stores the position. Call it inside the transaction that writes the last rows before it. */
export function setPosition(db: Db, position: Position): void {
  writeMeta(db, 'position', JSON.stringify(position));
}

function readPosition(db: Db): Position | undefined {
  const text = readMeta(db, 'position');
  return text === undefined ? undefined : (JSON.parse(text) as Position);
}

function readMeta(db: Db, key: string): string | undefined {
  return db.prepare<[string], string>('SELECT value FROM prov_meta WHERE key = ?').pluck().get(key);
}

function writeMeta(db: Db, key: string, value: string): void {
  db.prepare('INSERT OR REPLACE INTO prov_meta VALUES (?, ?)').run(key, value);
}
