import { FINGERPRINT_VERSION } from '../../core/fingerprint.ts';
import { beginImmediate, rollback } from '../../platform/sqlite.ts';
import type { IndexRows, Position, ProvenanceIndex } from '../provenance/port.ts';
import { indexSteps } from './provenance-rows.ts';
import { type Sql, translated } from './sql.ts';

const INDEX_VERSION = `1.${FINGERPRINT_VERSION}`;

const META = 'CREATE TABLE IF NOT EXISTS prov_meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID';
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
const EMPTY: Position = { lastOffset: -1, lastHash: '', records: 0, generation: 1 };
/** Rows of one transaction: hooks of other processes wait for the same write lock, so it is held for milliseconds. */
const TRANSACTION_ROWS = 20_000;
const LOCK_MS = 30_000;

/** The part of the index that finds records. */
type Finding = Omit<ProvenanceIndex, 'ensure' | 'reset' | 'position' | 'add'>;

function finding(sql: Sql): Finding {
  const records = (rows: readonly { record: number }[]): number[] => rows.map(({ record }) => record);
  return {
    recordsOfHash: (key, limit) =>
      records(sql.all('SELECT record FROM prov_hash WHERE hash = ? ORDER BY record LIMIT ?', key, limit)),
    recordsOfPath: (path, limit) =>
      records(
        sql.all(
          `SELECT record FROM prov_file WHERE path = (SELECT id FROM prov_path WHERE path = ?)
           ORDER BY record DESC LIMIT ?`,
          path,
          limit,
        ),
      ),
    namesOf: (path, limit) =>
      // UNION drops what was seen, so names that were swapped back and forth end the walk.
      sql
        .all<{ path: string }>(
          `WITH RECURSIVE names (id) AS (
             SELECT id FROM prov_path WHERE path = ?
             UNION SELECT former FROM prov_move JOIN names ON prov_move.path = names.id LIMIT ?)
           SELECT prov_path.path FROM names JOIN prov_path ON prov_path.id = names.id`,
          path,
          limit,
        )
        .map((row) => row.path),
    pathId: (path) => sql.get<{ id: number }>('SELECT id FROM prov_path WHERE path = ?', path)?.id ?? null,
    linesAnywhere: (print, limit) =>
      sql
        .all<{ path: number; record: number }>(
          'SELECT path, record FROM prov_line WHERE print = ? LIMIT ?',
          print,
          limit,
        )
        .map(({ path, record }) => [path, record] as const),
    linesAt: (print, path, limit) =>
      records(
        sql.all(
          'SELECT record FROM prov_line WHERE print = ? AND path = ? ORDER BY record LIMIT ?',
          print,
          path,
          limit,
        ),
      ),
  };
}

/** The provenance index inside `state.db`. */
export function provenanceIndex(sql: Sql): ProvenanceIndex {
  const readMeta = (key: string): string | undefined =>
    sql.get<{ value: string }>('SELECT value FROM prov_meta WHERE key = ?', key)?.value;
  const writeMeta = (key: string, value: string): void =>
    sql.run('INSERT OR REPLACE INTO prov_meta VALUES (?, ?)', key, value);
  const hasMeta = (): boolean =>
    sql.get("SELECT 1 FROM sqlite_master WHERE name = 'prov_meta'") !== undefined;
  const isMade = (): boolean => hasMeta() && readMeta('version') === INDEX_VERSION;
  const stored = (): Position | null => JSON.parse(readMeta('position') ?? 'null') as Position | null;
  const position = (): Position => (isMade() ? stored() : null) ?? EMPTY;

  const alone = <T>(work: () => T): T => {
    try {
      beginImmediate(sql.db, LOCK_MS);
      const result = work();
      sql.run('COMMIT');
      return result;
    } catch (error) {
      rollback(sql.db);
      throw translated(error);
    }
  };
  const make = (): void => {
    if (isMade()) return;
    sql.db.exec(META);
    for (const table of DATA_TABLES) sql.db.exec(`DROP TABLE IF EXISTS ${table}`);
    sql.db.exec(TABLES);
    writeMeta('position', JSON.stringify({ ...EMPTY, generation: (stored()?.generation ?? 0) + 1 }));
    writeMeta('version', INDEX_VERSION);
  };
  return {
    ...finding(sql),
    position,
    ensure() {
      if (!isMade()) alone(make);
    },
    reset: () =>
      alone(() => {
        if (hasMeta()) writeMeta('version', '');
        make();
        return position();
      }),
    add(rows: IndexRows, at: Position) {
      const ifOurs = (work: () => void): boolean =>
        alone(() => {
          const isOurs = position().generation === at.generation;
          if (isOurs) work();
          return isOurs;
        });
      for (const step of indexSteps(sql.db, rows, TRANSACTION_ROWS)) if (!ifOurs(step)) return false;
      return ifOurs(() => {
        // Another process may have read further; the position never goes back within a generation.
        if (position().lastOffset < at.lastOffset) writeMeta('position', JSON.stringify(at));
      });
    },
  };
}
