import { beginImmediate, openDatabase } from './sqlite.ts';

/** Runs `work` while no other process of this machine runs its own under the same file; it is made when missing. */
export function underLock<T>(file: string, busyMs: number, work: () => T): T {
  const db = openDatabase(file, { busyMs });
  try {
    beginImmediate(db, busyMs);
    return work();
  } finally {
    if (db.inTransaction) db.exec('ROLLBACK');
    db.close();
  }
}
