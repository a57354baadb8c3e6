import { messageOf, PactError, StateError } from '../core/errors.ts';
import type { Layout } from '../core/layout.ts';
import { newUuid } from '../platform/clock.ts';
import { markOf } from '../platform/file-mark.ts';
import { makePrivateFolder, moveAside } from '../platform/files.ts';
import { beginImmediate, type Db, openDatabase } from '../platform/sqlite.ts';
import { createSchema, SCHEMA_VERSION, schemaVersion } from './schema.ts';

/** How many pages the write-ahead log gathers before a commit carries them over into the database. */
const CHECKPOINT_PAGES = {
  /** The next process reads the whole write-ahead log before it can begin, so it must be short. */
  oneShot: 200,
  /** Carrying over waits for the disk twice; a process that stays lets few events meet that. */
  resident: 4_000,
} as const;

export type Stay = keyof typeof CHECKPOINT_PAGES | null;

const NEW_VERSION =
  'Update this PactClaw, or delete state.db to have it rebuilt from the logs by this version.';

/**
 * Opens `state.db`. One that is missing, damaged or of an older version is made anew: everything in it comes from the
 * logs. A newer version's is refused and kept. `stay` says how long the process keeps it open, when it is one of the extremes.
 */
export function openState(layout: Layout, busyMs: number, stay: Stay = null): Db {
  const db = openSound(layout, busyMs);
  if (stay) db.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES[stay]}`);
  return db;
}

function openSound(layout: Layout, busyMs: number): Db {
  let db: Db;
  let inode: string | null = null;
  try {
    inode = inodeOf(layout.state);
    db = openDatabase(layout.state, { busyMs });
    const version = schemaVersion(db);
    if (version === SCHEMA_VERSION) return db;
    if (version > SCHEMA_VERSION) {
      db.close();
      throw new StateError(
        `state.db was written by a newer PactClaw (schema ${version}, this one knows ${SCHEMA_VERSION})`,
        { file: layout.state },
        NEW_VERSION,
      );
    }
    if (version === 0) return prepare(db, busyMs);
    db.close();
  } catch (error) {
    if (error instanceof StateError || !isDamage(error)) throw toStateError(error, layout);
  }
  setStateAside(layout, inode);
  return prepare(openDatabase(layout.state, { busyMs }), busyMs);
}

/** Tells one database from another that was put in its place. */
export function inodeOf(file: string): string | null {
  return markOf(file)?.inode ?? null;
}

/** Moves a damaged database away, unless another process has already put a new one in its place. */
export function setStateAside(layout: Layout, inode: string | null): void {
  if (inode === null || inodeOf(layout.state) !== inode) return;
  makePrivateFolder(layout.quarantine);
  for (const suffix of ['', '-wal', '-shm'])
    moveAside(`${layout.state}${suffix}`, `${layout.quarantine}/state.db${suffix}-${newUuid()}`);
}

/** Two processes may find the database empty at once; the lock lets one make it. */
function prepare(db: Db, busyMs: number): Db {
  beginImmediate(db, busyMs);
  if (schemaVersion(db) !== SCHEMA_VERSION) createSchema(db);
  db.exec('COMMIT');
  return db;
}

/** Whether an error of SQLite says that the file is no sound database. */
export function isDamage(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return code === 'SQLITE_NOTADB' || code.startsWith('SQLITE_CORRUPT');
}

function toStateError(error: unknown, layout: Layout): PactError {
  if (error instanceof PactError) return error;
  return new StateError(
    `state.db cannot be used: ${messageOf(error)}`,
    { file: layout.state },
    'Check that the folder is writable and the disk is not full.',
    { cause: error },
  );
}
