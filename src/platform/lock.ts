import { PactError } from '../core/errors.ts';
import { beginExclusive, beginImmediate, isBusy, openDatabase, rollback } from './sqlite.ts';

/** A lock that is held until it is closed, or until the process ends. */
export interface Held {
  close(): void;
}

/**
 * Runs `work` while no other process of this machine runs its own under the same file; it is made when missing. Throws an
 * UNAVAILABLE when its turn has not come in `busyMs` milliseconds.
 */
export function underLock<T>(file: string, busyMs: number, work: () => T): T {
  const db = openDatabase(file, { busyMs });
  try {
    try {
      beginImmediate(db, busyMs);
    } catch (error) {
      if (!isBusy(error)) throw error;
      const remedy = 'Try again; if it lasts, look for a process that hangs.';
      throw new PactError(
        'UNAVAILABLE',
        'another process holds the lock',
        remedy,
        { file },
        { cause: error },
      );
    }
    return work();
  } finally {
    rollback(db);
    db.close();
  }
}

/** Takes a lock and keeps it; null when another process has it for the next `waitMs` milliseconds. The file is made when missing. */
export function holdLock(file: string, waitMs: number): Held | null {
  try {
    const db = openDatabase(file, { busyMs: waitMs });
    beginExclusive(db);
    return db;
  } catch (error) {
    if (isBusy(error)) return null;
    throw error;
  }
}
