import { beforeEach, describe, expect, test } from 'vitest';
import { StateError } from '../../../src/core/errors.ts';
import { type Storage, StorageError, type StorageProblem, type Tables } from '../../../src/ledger/port.ts';
import { OWNER } from './drafts.ts';
import { foldedContract } from './folded.ts';
import { keptContract } from './kept.ts';

type Failing = Exclude<StorageProblem, 'locked' | 'other'>;

/** An empty storage, and what only its adapter can bring about. */
export interface Opened {
  readonly storage: Storage;
  /** The same state as another process has it. */
  readonly again?: () => Storage;
  /** Brings the storage to where it fails, and gives a use of it that does. */
  readonly failing: Partial<Record<Failing, () => () => unknown>>;
}

export interface Adapter {
  /** Whether other processes can have the same state. */
  readonly isShared: boolean;
  /** What can go wrong with it. */
  readonly problems: readonly Failing[];
  readonly open: () => Opened;
}

/** What became of `work`: the problem that it was refused for. */
function problemOf(work: () => unknown): StorageProblem | null {
  try {
    work();
    return null;
  } catch (error) {
    const cause = error instanceof StateError ? error.cause : error;
    if (cause instanceof StorageError) return cause.problem;
    throw error;
  }
}

/** What every storage does, whatever keeps it. */
export function storageContract({ isShared, problems, open }: Adapter): void {
  let opened: Opened;
  let storage: Storage;
  let tables: Tables;
  beforeEach(() => {
    opened = open();
    storage = opened.storage;
    tables = storage.tables;
    return () => storage.close();
  });
  const write = <T>(work: () => T): T => storage.transact(5_000, work);

  describe('transactions', () => {
    test('what was written is read inside and afterwards, and the value of the work is returned', () => {
      const read = write(() => {
        tables.putNote('key', 'value');
        return tables.note('key');
      });
      expect([read, tables.note('key')]).toEqual(['value', 'value']);
    });

    test('one that throws is undone as a whole, throws what the work threw, and the next one goes on', () => {
      const lost = new Error('no');
      const work = () => {
        tables.putNote('key', 'value');
        tables.addUsage('I-1', 1, 1);
        throw lost;
      };
      expect(() => write(work)).toThrow(lost);
      expect([tables.note('key'), tables.usages()]).toEqual([null, []]);
      write(() => tables.putNote('key', 'later'));
      expect(tables.note('key')).toBe('later');
    });

    test('one that is not kept returns its value and is undone', () => {
      const work = () => {
        tables.putNote('key', 'value');
        return tables.note('key');
      };
      expect(storage.transact(0, work, false)).toBe('value');
      expect(tables.note('key')).toBeNull();
    });

    test('a part that throws is undone for itself; those before and after it stay', () => {
      const lost = new Error('no');
      const outcomes = write(() => [
        storage.part(() => tables.putNote('first', '1')),
        storage.part(() => {
          tables.putNote('second', '2');
          throw lost;
        }),
        storage.part(() => {
          tables.putNote('third', '3');
          return 3;
        }),
      ]);
      expect(outcomes).toEqual([{ value: undefined }, { error: lost }, { value: 3 }]);
      expect(['first', 'second', 'third'].map(tables.note)).toEqual(['1', null, '3']);
    });

    test('parts go with the transaction that is undone', () => {
      const work = () => {
        storage.part(() => tables.putNote('key', 'value'));
        throw new Error('no');
      };
      expect(() => write(work)).toThrow('no');
      expect(tables.note('key')).toBeNull();
    });

    test('looking returns the value of the work, or throws what it threw and can be done again', () => {
      write(() => tables.putNote('key', 'value'));
      const fails = () => {
        throw new Error('no');
      };
      expect(() => storage.look(fails)).toThrow('no');
      expect(storage.look(() => tables.note('key'))).toBe('value');
    });
  });

  keptContract(() => opened);
  foldedContract(() => opened);

  test('two storages that were given the same in another order agree in what is derived', () => {
    const other = open().storage;
    const fold = (into: Storage, ids: readonly string[]) =>
      into.transact(0, () => {
        for (const id of ids) {
          into.tables.addUsage(id, 1, 1);
          into.tables.putOwner({ ...OWNER, path: id });
        }
      });
    const derived = (from: Storage) =>
      [...from.derived('state')].map(([what, of]) => [what, [...of]] as const);
    fold(storage, ['a', 'b']);
    fold(other, ['b', 'a']);
    expect(derived(storage)).toEqual(derived(other));
    fold(other, ['a']);
    expect(derived(storage)).not.toEqual(derived(other));
    expect([...storage.derived('index')]).toEqual([]);
    other.close();
  });

  test('work that no event waits for changes nothing', () => {
    write(() => tables.putNote('key', 'value'));
    storage.carryOver();
    expect(tables.note('key')).toBe('value');
  });

  for (const problem of problems)
    test(`a storage that is ${problem} says so with a typed error`, () => {
      const use = opened.failing[problem]!();
      expect(problemOf(use)).toBe(problem);
    });
  if (isShared) sharedContract(() => opened);
}

/** What holds between two processes that have the same storage open. */
function sharedContract(opened: () => Opened): void {
  describe('shared by processes', () => {
    let storage: Storage;
    let other: Storage;
    beforeEach(() => {
      storage = opened().storage;
      other = opened().again!();
      return () => other.close();
    });

    test('what a transaction wrote is seen when it has returned, and not before', () => {
      storage.transact(0, () => {
        storage.tables.putNote('key', 'value');
        expect(other.tables.note('key')).toBeNull();
      });
      expect(other.tables.note('key')).toBe('value');
    });

    test('one writes at a time: who has waited too long is told that it is locked', () => {
      const tried = () => other.transact(20, () => other.tables.putNote('key', 'other'));
      expect(storage.transact(0, () => problemOf(tried))).toBe('locked');
      tried();
      expect(storage.tables.note('key')).toBe('other');
    });

    test('looking sees one moment, whatever is written meanwhile, and waits for nobody', () => {
      const seen = storage.look(() => {
        const before = storage.tables.note('key');
        other.transact(0, () => other.tables.putNote('key', 'value'));
        return [before, storage.tables.note('key')];
      });
      expect([seen, storage.tables.note('key')]).toEqual([[null, null], 'value']);
    });

    test('an index of one process is found by the other', () => {
      storage.index.ensure();
      expect(other.index.reset().generation).toBe(storage.index.position().generation);
    });

    test('both are current while the workspace has them', () => {
      expect([storage.isCurrent(), other.isCurrent()]).toEqual([true, true]);
      storage.close();
      expect([storage.isCurrent(), other.isCurrent()]).toEqual([false, true]);
    });
  });
}
