import { StateError } from '../core/errors.ts';
import type { Layout } from '../core/layout.ts';
import { markOf } from '../platform/file-mark.ts';
import { type Reading, type Storage, StorageError } from './port.ts';
import { openStorageToLook } from './sqlite/storage.ts';

/** Tables of a database that is not there yet, or that the next event makes anew: they know nothing. */
export type Tables = Pick<Reading, 'usage' | 'trips' | 'sessions' | 'compiled' | 'logSize'>;

const EMPTY: Tables = {
  usage: () => ({ turns: 0, tokens: 0 }),
  trips: () => [],
  sessions: () => [],
  compiled: () => null,
  logSize: () => ({ lines: 0, bytes: 0 }),
};

/**
 * Shows the state tables as they stand, all from one moment, to somebody who only looks: nothing is caught up, made
 * anew or written, and no lock is taken that a writer would wait for. `busyMs` bounds the wait for a writer that
 * closes. Throws a StateError where the engine would be in fail-safe, as far as that shows without reading the logs.
 */
export async function peek<T>(
  layout: Layout,
  busyMs: number,
  look: (tables: Tables) => Promise<T>,
): Promise<T> {
  if (markOf(layout.state) === null) return await look(EMPTY);
  let storage: Storage | null = null;
  try {
    storage = openStorageToLook(layout, busyMs);
    return await look(storage?.tables ?? EMPTY);
  } catch (error) {
    if (error instanceof StorageError && error.problem === 'damaged') return await look(EMPTY);
    throw error;
  } finally {
    storage?.close();
  }
}

/** Throws when a log is missing, or shorter than what was acknowledged of it: the engine then refuses every call. */
export function assertLogs(layout: Layout, tables: Tables): void {
  for (const name of ['receipts', 'trace'] as const) {
    const what = name === 'trace' ? 'the ledger' : 'the receipt log';
    const mark = markOf(layout[name]);
    const missing = tables.logSize(name).bytes - (mark?.size ?? 0);
    if (mark !== null && missing <= 0) continue;
    throw new StateError(
      mark === null ? `${what} is missing` : `${missing} bytes at the end of ${what} are missing`,
      { file: layout[name] },
      'Restore the file; `pactclaw fsck` shows what is wrong.',
    );
  }
}
