import { closeSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { afterAll, beforeAll, describe } from 'vitest';
import type { Storage } from '../../../src/ledger/port.ts';
import { openStorage, openStorageToLook, storageInMemory } from '../../../src/ledger/sqlite/storage.ts';
import type { Db } from '../../../src/platform/sqlite.ts';
import { newSidecar, temporaryFolder } from '../../support/ledger.ts';
import { storageContract } from './contract.ts';

let base: string;
let count = 0;
beforeAll(() => {
  base = temporaryFolder('port');
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

const LONG = 'x'.repeat(1_000_000);

/** SQLite's own limit of a database stands for a disk without room. */
function filled(storage: Storage): () => unknown {
  const { db } = storage as unknown as { readonly db: Db };
  db.pragma('max_page_count = 1');
  return () => storage.transact(0, () => storage.tables.putNote('key', LONG));
}

const openOnDisk = () => {
  count += 1;
  const layout = newSidecar(base, `ws-${count}`);
  const storage = openStorage(layout, 5_000);
  return {
    storage,
    again: () => openStorage(layout, 5_000),
    failing: {
      full: () => filled(storage),
      readonly: () => {
        const looking = openStorageToLook(layout, 5_000)!;
        return () => {
          try {
            looking.tables.putNote('key', 'value');
          } finally {
            looking.close();
          }
        };
      },
      damaged: () => {
        storage.transact(0, () => storage.tables.putNote('key', LONG));
        storage.close();
        const size = readFileSync(layout.state).length;
        const file = openSync(layout.state, 'r+');
        writeSync(file, Buffer.alloc(size - 4_096, 0x5a), 0, size - 4_096, 4_096);
        closeSync(file);
        const damaged = openStorage(layout, 5_000);
        return () => damaged.transact(0, () => damaged.tables.putNote('key', 'value'));
      },
    },
  };
};

describe('SQLite on disk', () =>
  storageContract({ isShared: true, problems: ['full', 'readonly', 'damaged'], open: openOnDisk }));

const openInMemory = () => {
  const storage = storageInMemory();
  return { storage, failing: { full: () => filled(storage) } };
};

describe('SQLite in memory', () =>
  storageContract({ isShared: false, problems: ['full'], open: openInMemory }));
