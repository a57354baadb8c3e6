import Database from 'better-sqlite3';
import { beforeEach, describe, expect, it } from 'vitest';
import { catchUp } from '../../../src/ledger/provenance/catch-up.ts';
import { byHash, byPath } from '../../../src/ledger/provenance/lookup.ts';
import { getPosition, resetIndex } from '../../../src/ledger/provenance/schema.ts';
import { MemoryLedger } from './support.ts';

const TABLES = ['prov_file', 'prov_hash', 'prov_line', 'prov_move'];
const dump = (db: Database.Database): unknown[] =>
  TABLES.map((table) => db.prepare(`SELECT * FROM ${table} ORDER BY 1, 2`).all());

function fill(ledger: MemoryLedger, from: number, to: number): void {
  for (let i = from; i < to; i++)
    ledger.write(`I-${i % 3}`, `f${i % 4}.ts`, null, `const value${i} = compute(${i});\nsame();\n`);
}

describe('catchUp', () => {
  let db: Database.Database;
  let ledger: MemoryLedger;
  beforeEach(() => {
    db = new Database(':memory:');
    ledger = new MemoryLedger();
    fill(ledger, 0, 40);
  });

  it('goes on where it stopped and gives the same index as one pass', () => {
    expect(catchUp(db, ledger.readFrom)).toEqual({ added: 40, restarted: false });
    fill(ledger, 40, 60);
    expect(catchUp(db, ledger.readFrom)).toEqual({ added: 20, restarted: false });
    expect(ledger.reads.at(-1)).toBe(ledger.lines[39]!.offset);
    expect(catchUp(db, ledger.readFrom)).toEqual({ added: 0, restarted: false });
    const whole = new Database(':memory:');
    const progress: number[] = [];
    catchUp(whole, ledger.readFrom, { batchRows: 30, onProgress: ({ records }) => progress.push(records) });
    expect(dump(whole)).toEqual(dump(db));
    expect(progress.length).toBeGreaterThan(3);
    expect(progress.at(-1)).toBe(60);
  });

  it.each([
    ['another ledger of the same shape', (): MemoryLedger => new MemoryLedger('other'), 40],
    ['a shorter ledger', (): MemoryLedger => new MemoryLedger('other'), 3],
    ['an empty ledger', (): MemoryLedger => new MemoryLedger(), 0],
  ])('begins anew for %s', (_, make, count) => {
    catchUp(db, ledger.readFrom);
    const other = make();
    fill(other, 0, count);
    expect(catchUp(db, other.readFrom)).toEqual({ added: count, restarted: true });
    const fresh = new Database(':memory:');
    catchUp(fresh, other.readFrom);
    expect(dump(db)).toEqual(dump(fresh));
  });

  it('does not lose or double rows when it dies between batches', () => {
    function* dying(offset: number): Generator<ReturnType<MemoryLedger['readFrom']>[number]> {
      for (const line of ledger.readFrom(offset)) {
        if (line.record.seq === 25) throw new Error('power cut');
        yield line;
      }
    }
    expect(() => catchUp(db, dying, { batchRows: 30 })).toThrow('power cut');
    expect(getPosition(db).records).toBeGreaterThan(0);
    catchUp(db, ledger.readFrom);
    const fresh = new Database(':memory:');
    catchUp(fresh, ledger.readFrom);
    expect(dump(db)).toEqual(dump(fresh));
    expect(getPosition(db)).toEqual(getPosition(fresh));
  });

  it('notices that another process began anew meanwhile', () => {
    let disturbed = false;
    const onProgress = (): void => {
      if (!disturbed) resetIndex(db);
      disturbed = true;
    };
    catchUp(db, ledger.readFrom, { batchRows: 30, onProgress });
    expect(getPosition(db).records).toBe(40);
    expect(byPath(db, 'f1.ts')).toHaveLength(10);
  });

  it('rebuilds an index of another version', () => {
    catchUp(db, ledger.readFrom);
    db.exec("UPDATE prov_meta SET value = '0.0' WHERE key = 'version'; DELETE FROM prov_hash");
    expect(catchUp(db, ledger.readFrom).added).toBe(40);
    expect(byHash(db, ledger.lines[7]!.record.content_hash, ledger.readRecordAt)).toHaveLength(1);
  });
});
