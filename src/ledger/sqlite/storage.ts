import { StateError } from '../../core/errors.ts';
import type { Layout } from '../../core/layout.ts';
import { beginImmediate, type Db, emptyLog, openDatabase, rollback } from '../../platform/sqlite.ts';
import { type DerivedPart, type Outcome, type Storage, StorageError, type Tables } from '../port.ts';
import type { ProvenanceIndex } from '../provenance/port.ts';
import { DERIVED } from './derived.ts';
import { inodeOf, isLong, openState, openToLook, type Stay, setStateAside } from './open.ts';
import { provenanceIndex } from './provenance-index.ts';
import { createSchema } from './schema.ts';
import { isDamage, Sql, translated } from './sql.ts';
import { tablesOf } from './tables.ts';

/** The view of a workspace's logs in `state.db`. */
class SqliteStorage implements Storage {
  readonly tables: Tables;
  readonly index: ProvenanceIndex;
  readonly #sql: Sql;
  readonly #inode: string | null;

  constructor(
    private readonly db: Db,
    /** Null for one in memory. */
    private readonly layout: Layout | null,
  ) {
    this.#sql = new Sql(db);
    this.#inode = layout && inodeOf(layout.state);
    this.tables = tablesOf(this.#sql);
    this.index = provenanceIndex(this.#sql);
  }

  transact<T>(waitMs: number, work: () => T, keep = true): T {
    try {
      beginImmediate(this.db, waitMs);
      const result = work();
      this.#sql.run(keep ? 'COMMIT' : 'ROLLBACK');
      return result;
    } catch (error) {
      rollback(this.db);
      throw isDamage(error) && this.layout ? this.#setAside(this.layout, error) : translated(error);
    }
  }

  part<T>(work: () => T): Outcome<T> {
    this.#sql.run('SAVEPOINT part');
    try {
      return { value: work() };
    } catch (error) {
      if (isDamage(error) || !this.db.inTransaction) throw error;
      this.#sql.run('ROLLBACK TO part');
      return { error };
    } finally {
      if (this.db.inTransaction) this.#sql.run('RELEASE part');
    }
  }

  look<T>(work: () => T): T {
    this.#sql.run('BEGIN');
    try {
      return work();
    } finally {
      this.#sql.run('COMMIT');
    }
  }

  isCurrent(): boolean {
    // The database is in the sidecar: where it is found, the folder is there too.
    return (
      this.db.open &&
      this.#inode !== null &&
      this.layout !== null &&
      inodeOf(this.layout.state) === this.#inode
    );
  }

  carryOver(): void {
    this.db.pragma('wal_checkpoint(PASSIVE)');
  }

  leave(): void {
    if (!this.layout || !isLong(this.layout)) return;
    try {
      emptyLog(this.db);
    } catch {
      // Everything is durable without it, and the next process to end tries again.
    }
  }

  *derived(part: DerivedPart): Iterable<readonly [what: string, rows: Iterable<unknown>]> {
    if (part === 'index' && this.index.position().lastOffset < 0) return;
    for (const [what, sql] of DERIVED[part]) yield [what, this.#sql.rows(sql)];
  }

  close(): void {
    this.db.close();
  }

  /** A page beyond the first is damaged: the next one to open the state makes it anew from the logs. */
  #setAside(layout: Layout, cause: unknown): StateError {
    this.db.close();
    setStateAside(layout, this.#inode);
    return new StateError(
      'state.db was damaged and has been set aside',
      { file: layout.state },
      'Try again: it is made anew from the logs.',
      { cause: translated(cause) },
    );
  }
}

/** Opens the state of a workspace; see {@link openState} for what happens to one that is damaged. */
export function openStorage(layout: Layout, waitMs: number, stay: Stay = null): Storage {
  return new SqliteStorage(openState(layout, waitMs, stay), layout);
}

/** The state at one moment, only to read; see {@link openToLook}. */
export function openStorageToLook(layout: Layout, waitMs: number): Storage | null {
  const db = openToLook(layout, waitMs);
  return db && new SqliteStorage(db, layout);
}

/** An empty state that is gone with the process: what fsck folds the logs into. */
export function storageInMemory(): Storage {
  const db = openDatabase(':memory:', { busyMs: 0 });
  createSchema(db);
  return new SqliteStorage(db, null);
}

/**
 * Moves a database that cannot be read, or that SQLite finds damaged, to quarantine. Returns its name there; null when
 * it is sound. Throws when another process keeps it locked, which says nothing of it.
 */
export function setDamagedAside(layout: Layout, waitMs: number): string | null {
  const inode = inodeOf(layout.state);
  try {
    const db = openDatabase(layout.state, { busyMs: waitMs });
    try {
      if (db.pragma('quick_check(1)', { simple: true }) === 'ok') return null;
    } finally {
      db.close();
    }
  } catch (error) {
    const named = translated(error);
    if (named instanceof StorageError && named.problem === 'locked') throw named;
  }
  return setStateAside(layout, inode);
}
