import { beforeEach, describe, expect, test } from 'vitest';
import type { Storage, Tables } from '../../../src/ledger/port.ts';
import type { Opened } from './contract.ts';
import { OWNER, SESSION } from './drafts.ts';

/** What is folded from the logs and made anew from them. */
export function foldedContract(opened: () => Opened): void {
  let storage: Storage;
  let tables: Tables;
  beforeEach(() => {
    storage = opened().storage;
    tables = storage.tables;
  });
  const write = <T>(work: () => T): T => storage.transact(5_000, work);

  describe('what is folded from the logs', () => {
    test('use adds up and is cleared, intent by intent', () => {
      write(() => {
        for (const id of ['I-2', 'I-1', 'I-2']) tables.addUsage(id, 1, 2 ** 40);
      });
      expect(tables.usage('I-2')).toEqual({ turns: 2, tokens: 2 ** 41 });
      expect(tables.usages().map(({ intentId }) => intentId)).toEqual(['I-1', 'I-2']);
      write(() => tables.clearUsage('I-2'));
      expect([tables.usage('I-2'), tables.usage('I-9')]).toEqual(Array(2).fill({ turns: 0, tokens: 0 }));
    });

    test('a row of identical calls counts on, begins anew with another call, and ends', () => {
      const counted = (identity: string) =>
        write(() => {
          tables.countRepeat('row', identity);
          return tables.repeats('row');
        });
      expect(tables.repeats('row')).toBeNull();
      expect(['a', 'a', 'b', 'a'].map((one) => counted(one)?.count)).toEqual([1, 2, 1, 1]);
      expect(tables.repeats('row')).toEqual({ identity: 'a', count: 1 });
      write(() => tables.endRepeats('row'));
      expect(tables.repeats('row')).toBeNull();
    });

    test('a trip stands until it is cleared, and a new one is not yet in the file of the human', () => {
      write(() => {
        tables.setTrip('I-2', 'turns');
        tables.setTrip('I-1', 'tokens');
        tables.markTrip('I-1', true);
      });
      const second = { intentId: 'I-2', reason: 'turns', written: false };
      expect(tables.trips()).toEqual([{ intentId: 'I-1', reason: 'tokens', written: true }, second]);
      write(() => tables.setTrip('I-1', 'again'));
      expect(tables.trips()[0]).toEqual({ intentId: 'I-1', reason: 'again', written: false });
      write(() => tables.clearTrip('I-1'));
      expect(tables.trips()).toEqual([second]);
    });

    test('owners are listed by path; the last word on a file counts', () => {
      expect(tables.hasOwners()).toBe(false);
      const first = { ...OWNER, path: 'src/a.ts', earlier: [] };
      write(() => {
        for (const row of [OWNER, first, { ...OWNER, intentId: 'I-2' }]) tables.putOwner(row);
      });
      expect(tables.hasOwners()).toBe(true);
      expect(tables.owners()).toEqual([first, { ...OWNER, intentId: 'I-2' }]);
      write(() => tables.dropOwner(first.path));
      expect([tables.owner(first.path), tables.owner(OWNER.path)?.earlier]).toEqual([null, ['I-0']]);
    });

    test('mutations of an intent: the latest first, as many as were asked for', () => {
      write(() => {
        for (const offset of [0, 10, 2 ** 40]) tables.addMutation('I-1', 'a', offset);
        tables.addMutation('I-2', 'a', 30);
      });
      expect(tables.latestMutations('I-1', 2)).toEqual([2 ** 40, 10]);
    });

    test('what one log gave is forgotten without what the other gave, and what no log gave', () => {
      const left = () => [
        tables.usages().length,
        tables.trips().length,
        tables.repeats('row') === null ? 0 : 1,
        tables.owners().length,
        tables.latestMutations('I-1', 9).length,
      ];
      write(() => {
        tables.addUsage('I-1', 1, 1);
        tables.setTrip('I-1', 'x');
        tables.countRepeat('row', 'a');
        tables.putOwner(OWNER);
        tables.addMutation('I-1', 'a', 1);
        tables.putSession(SESSION);
      });
      write(() => tables.forget('receipts'));
      expect(left()).toEqual([0, 0, 0, 1, 1]);
      write(() => tables.forget('trace'));
      expect([left(), tables.session('s')]).toEqual([[0, 0, 0, 0, 0], SESSION]);
    });

    test('how far each log was read, and the last record of each writer', () => {
      const known = { size: 7, inode: '18446744073709551615', changedNs: '1700000000000000001', lines: 2 };
      expect([tables.knownLog('trace'), tables.logSize('trace')]).toEqual([null, { lines: 0, bytes: 0 }]);
      write(() => {
        tables.putLog('trace', known);
        for (const seq of [1, 2]) tables.putHead('trace', 'w', { seq, hash: `h${seq}` });
      });
      expect([tables.knownLog('trace'), tables.knownLog('receipts')]).toEqual([known, null]);
      expect(tables.logSize('trace')).toEqual({ lines: 2, bytes: 7 });
      expect(tables.heads('trace')).toEqual(new Map([['w', { seq: 2, hash: 'h2' }]]));
      expect([tables.head('trace', 'w')?.seq, tables.head('receipts', 'w')]).toEqual([2, null]);
      write(() => tables.forgetLogs());
      expect([tables.knownLog('trace'), tables.heads('trace').size]).toEqual([null, 0]);
    });
  });

  describe('the provenance index', () => {
    const rows = (records: readonly number[]) => ({
      paths: new Map([
        ['new.ts', 0],
        ['old.ts', 1],
      ]),
      file: records.flatMap((record) => [0, record]),
      move: [0, 1],
      hash: records.flatMap((record) => [42, record]),
      line: records.flatMap((record) => [2 ** 48, 0, record]),
    });

    test('rows are found by hash, path, former name and line; adding them twice does no harm', () => {
      const { index } = storage;
      index.ensure();
      const start = index.position();
      expect(start.lastOffset).toBe(-1);
      const end = { ...start, lastOffset: 20, lastHash: 'h', records: 2 };
      expect([index.add(rows([0, 20]), end), index.add(rows([20]), end)]).toEqual([true, true]);
      expect(index.position()).toEqual(end);
      expect([index.recordsOfHash(42, 9), index.recordsOfHash(42, 1)]).toEqual([[0, 20], [0]]);
      expect(index.recordsOfPath('new.ts', 9)).toEqual([20, 0]);
      expect(index.namesOf('new.ts', 9).toSorted()).toEqual(['new.ts', 'old.ts']);
      const path = index.pathId('new.ts')!;
      expect(index.linesAt(2 ** 48, path, 9)).toEqual([0, 20]);
      expect(index.linesAnywhere(2 ** 48, 9)).toHaveLength(2);
      expect([index.pathId('none.ts'), index.recordsOfPath('none.ts', 9)]).toEqual([null, []]);
    });

    test('rows of a reader that read before the index was begun anew are not added', () => {
      const { index } = storage;
      index.ensure();
      const stale = { ...index.position(), lastOffset: 0, records: 1 };
      const fresh = index.reset();
      expect([fresh.lastOffset, index.add(rows([0]), stale)]).toEqual([-1, false]);
      expect([index.position(), index.recordsOfHash(42, 9)]).toEqual([fresh, []]);
    });
  });
}
