import { messageOf, PactError, StateError } from '../../core/errors.ts';
import type { Layout } from '../../core/layout.ts';
import { newUuid } from '../../platform/clock.ts';
import { markOf } from '../../platform/file-mark.ts';
import { makePrivateFolder, moveAside } from '../../platform/files.ts';
import { beginImmediate, type Db, openDatabase } from '../../platform/sqlite.ts';
import { StorageError } from '../port.ts';
import { createSchema, SCHEMA_VERSION, schemaVersion } from './schema.ts';
import { isDamage, translated } from './sql.ts';

/** How many pages the write-ahead log gathers before a commit carries them over into the database. */
const CHECKPOINT_PAGES = {
  /**
   * None: it would never shorten the log. A process that comes alone reads the whole log anew and has to carry all of it
   * over again; see {@link isLong}.
   */
  oneShot: 0,
  /** Carrying over waits for the disk twice; a process that stays lets few events meet that. */
  resident: 4_000,
} as const;

/** Bytes of a write-ahead log that the next process reads before it can begin: about 200 pages. */
const LONG_LOG = 200 * 4_120;

/** Whether the write-ahead log costs each new process more than emptying it. */
export function isLong(layout: Layout): boolean {
  return (markOf(`${layout.state}-wal`)?.size ?? 0) > LONG_LOG;
}

export type Stay = keyof typeof CHECKPOINT_PAGES | null;

/**
 * Opens `state.db`. One that is missing, damaged or of an older version is made anew: everything in it comes from the
 * logs. A newer version's is refused and kept. `stay` says how long the process keeps it open, when it is one of the extremes.
 */
export function openState(layout: Layout, busyMs: number, stay: Stay): Db {
  const db = openSound(layout, busyMs);
  if (stay) db.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES[stay]}`);
  return db;
}

/**
 * Opens `state.db` to look at it as it is at one moment, until it is closed. Null when it is of an older version, which
 * the next event makes anew.
 */
export function openToLook(layout: Layout, busyMs: number): Db | null {
  try {
    const db = openDatabase(layout.state, { busyMs, readonly: true });
    try {
      // The first read of a transaction fixes the moment.
      db.exec('BEGIN');
      if (schemaVersion(db) === SCHEMA_VERSION) return db;
      refuseNewer(db, layout);
    } catch (error) {
      db.close();
      throw error;
    }
    db.close();
    return null;
  } catch (error) {
    throw translated(error);
  }
}

function refuseNewer(db: Db, layout: Layout): void {
  const version = schemaVersion(db);
  if (version > SCHEMA_VERSION)
    throw new StateError(
      `state.db was written by a newer PactClaw (schema ${version}, this one knows ${SCHEMA_VERSION})`,
      { file: layout.state },
      'Update this PactClaw, or delete state.db to have it rebuilt from the logs by this version.',
    );
}

function openSound(layout: Layout, busyMs: number): Db {
  let inode: string | null = null;
  let db: Db | null = null;
  try {
    inode = inodeOf(layout.state);
    db = openDatabase(layout.state, { busyMs });
    const version = schemaVersion(db);
    if (version === SCHEMA_VERSION) return db;
    refuseNewer(db, layout);
    if (version === 0) return prepare(db, busyMs);
    db.close();
  } catch (error) {
    db?.close();
    if (!isDamage(error)) throw toStateError(error, layout);
  }
  setStateAside(layout, inode);
  return prepare(openDatabase(layout.state, { busyMs }), busyMs);
}

/** Tells one database from another that was put in its place. */
export function inodeOf(file: string): string | null {
  return markOf(file)?.inode ?? null;
}

/**
 * Moves a damaged database away, unless another process has already put a new one in its place. Returns the name that it
 * has in quarantine, or null.
 */
export function setStateAside(layout: Layout, inode: string | null): string | null {
  if (inode === null || inodeOf(layout.state) !== inode) return null;
  makePrivateFolder(layout.quarantine);
  const name = newUuid();
  for (const suffix of ['', '-wal', '-shm'])
    moveAside(`${layout.state}${suffix}`, `${layout.quarantine}/state.db${suffix}-${name}`);
  return `state.db-${name}`;
}

/** Two processes may find the database empty at once; the lock lets one make it. */
function prepare(db: Db, busyMs: number): Db {
  beginImmediate(db, busyMs);
  if (schemaVersion(db) !== SCHEMA_VERSION) createSchema(db);
  db.exec('COMMIT');
  return db;
}

function toStateError(error: unknown, layout: Layout): unknown {
  const named = translated(error);
  const isTold = !(named instanceof StorageError) || named.problem === 'locked';
  if (named instanceof PactError && isTold) return named;
  return new StateError(
    `state.db cannot be used: ${messageOf(error)}`,
    { file: layout.state },
    'Check that the folder is writable and the disk is not full.',
    { cause: error },
  );
}
