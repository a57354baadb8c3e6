import Database from 'better-sqlite3';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Storage } from '../../../src/ledger/port.ts';
import { catchUp } from '../../../src/ledger/provenance/catch-up.ts';
import { byHash, byPath } from '../../../src/ledger/provenance/lookup.ts';
import type { ProvenanceIndex } from '../../../src/ledger/provenance/port.ts';
import { provenanceIndex } from '../../../src/ledger/sqlite/provenance-index.ts';
import { Sql } from '../../../src/ledger/sqlite/sql.ts';
import { storageInMemory } from '../../../src/ledger/sqlite/storage.ts';
import { MemoryLedger } from './support.ts';

/** What an index holds, and how far it is. */
const dump = (storage: Storage): unknown =>
  [{ ...storage.index.position(), generation: 0 }, ...storage.derived('index')].map((part) =>
    Array.isArray(part) ? [part[0], [...part[1]]] : part,
  );

function fill(ledger: MemoryLedger, from: number, to: number): void {
  for (let i = from; i < to; i++)
    ledger.write(`I-${i % 3}`, `f${i % 4}.ts`, null, `const value${i} = compute(${i});\nsame();\n`);
}

describe('catchUp', () => {
  let storage: Storage;
  let index: ProvenanceIndex;
  let ledger: MemoryLedger;
  beforeEach(() => {
    storage = storageInMemory();
    index = storage.index;
    ledger = new MemoryLedger();
    fill(ledger, 0, 40);
  });

  it('goes on where it stopped and gives the same index as one pass', () => {
    expect(catchUp(index, ledger.readFrom)).toEqual({ added: 40, restarted: false });
    fill(ledger, 40, 60);
    expect(catchUp(index, ledger.readFrom)).toEqual({ added: 20, restarted: false });
    expect(ledger.reads.at(-1)).toBe(ledger.lines[39]!.offset);
    expect(catchUp(index, ledger.readFrom)).toEqual({ added: 0, restarted: false });
    const whole = storageInMemory();
    const progress: number[] = [];
    catchUp(whole.index, ledger.readFrom, {
      batchRows: 30,
      onProgress: ({ records }) => progress.push(records),
    });
    expect(dump(whole)).toEqual(dump(storage));
    expect(progress.length).toBeGreaterThan(3);
    expect(progress.at(-1)).toBe(60);
  });

  it.each([
    ['another ledger of the same shape', (): MemoryLedger => new MemoryLedger('other'), 40],
    ['a shorter ledger', (): MemoryLedger => new MemoryLedger('other'), 3],
    ['an empty ledger', (): MemoryLedger => new MemoryLedger(), 0],
  ])('begins anew for %s', (_, make, count) => {
    catchUp(index, ledger.readFrom);
    const other = make();
    fill(other, 0, count);
    expect(catchUp(index, other.readFrom)).toEqual({ added: count, restarted: true });
    const fresh = storageInMemory();
    catchUp(fresh.index, other.readFrom);
    expect(dump(storage)).toEqual(dump(fresh));
  });

  it('does not lose or double rows when it dies between batches', () => {
    function* dying(offset: number): Generator<ReturnType<MemoryLedger['readFrom']>[number]> {
      for (const line of ledger.readFrom(offset)) {
        if (line.record.seq === 25) throw new Error('power cut');
        yield line;
      }
    }
    expect(() => catchUp(index, dying, { batchRows: 30 })).toThrow('power cut');
    expect(index.position().records).toBeGreaterThan(0);
    catchUp(index, ledger.readFrom);
    const fresh = storageInMemory();
    catchUp(fresh.index, ledger.readFrom);
    expect(dump(storage)).toEqual(dump(fresh));
  });

  it('notices that another process began anew meanwhile', () => {
    let disturbed = false;
    const onProgress = (): void => {
      if (!disturbed) index.reset();
      disturbed = true;
    };
    catchUp(index, ledger.readFrom, { batchRows: 30, onProgress });
    expect(index.position().records).toBe(40);
    expect(byPath(index, 'f1.ts')).toHaveLength(10);
  });

  it('rebuilds an index of another version', () => {
    const db = new Database(':memory:');
    const kept = provenanceIndex(new Sql(db));
    catchUp(kept, ledger.readFrom);
    db.exec("UPDATE prov_meta SET value = '0.0' WHERE key = 'version'; DELETE FROM prov_hash");
    expect(catchUp(kept, ledger.readFrom).added).toBe(40);
    expect(byHash(kept, ledger.lines[7]!.record.content_hash, ledger.readRecordAt)).toHaveLength(1);
  });
});
