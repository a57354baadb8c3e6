import { beforeEach, describe, expect, it } from 'vitest';
import { candidatesFor } from '../../../src/ledger/provenance/candidates.ts';
import { catchUp } from '../../../src/ledger/provenance/catch-up.ts';
import { explain } from '../../../src/ledger/provenance/explain.ts';
import { byContent, byHash, byPath, formerPathsOf } from '../../../src/ledger/provenance/lookup.ts';
import type { ProvenanceIndex } from '../../../src/ledger/provenance/port.ts';
import { storageInMemory } from '../../../src/ledger/sqlite/storage.ts';
import { MemoryLedger } from './support.ts';

const CODE =
  'function settleInvoice(invoice) {\n  const total = sumOfPositions(invoice);\n  return total;\n}\n';

describe('provenance queries', () => {
  let index: ProvenanceIndex;
  let ledger: MemoryLedger;
  beforeEach(() => {
    index = storageInMemory().index;
    ledger = new MemoryLedger();
  });
  const ask = (path: string, text: string, range?: { start: number; end: number }) => {
    catchUp(index, ledger.readFrom);
    return explain(index, path, Buffer.from(text), ledger, range);
  };

  it('re-links moved code with every fact of its record (H-80, H-81)', () => {
    ledger.write('I-1', 'a.ts', null, CODE);
    const text = '// by hand, fifty times\n'.repeat(50) + CODE;
    const [line] = ask('a.ts', text, { start: 52, end: 52 });
    expect(line).toMatchObject({ line: 52, status: 'attributed', evidence: 'exact', touchedBy: [] });
    expect(line?.status === 'attributed' && line.origin).toMatchObject({
      intentId: 'I-1',
      intentName: 'name of I-1',
      timestamp: '2023-11-14T22:13:20.000Z',
      model: 'maker/model',
      rationale: 'because of I-1',
      sessionId: 'session',
      receiptId: 'receipt-0',
      originalPath: 'a.ts',
      originalLine: 2,
      traceId: 'trace-0',
      seq: 0,
    });
    expect(ask('a.ts', text)).toHaveLength(54);
    expect(ask('a.ts', text).filter(({ status }) => status === 'unattributed')).toHaveLength(50);
  });

  it('finds code in another file and reports the rest as unattributed (H-83)', () => {
    ledger.write('I-1', 'a.ts', null, CODE);
    const answers = ask('b.ts', `const mine = 1;\n${CODE}return null;\n`);
    expect(answers.map(({ status }) => status[0])).toEqual(['u', 'a', 'a', 'a', 'a', 'u']);
  });

  it('tells a copy from a move by looking at the other file', () => {
    ledger.write('I-1', 'a.ts', null, CODE);
    ledger.write('I-2', 'b.ts', null, CODE);
    catchUp(index, ledger.readFrom);
    const intentOf = (standing: string | null): unknown => {
      const readFile = (): Uint8Array | null => (standing === null ? null : Buffer.from(standing));
      const [first] = explain(index, 'b.ts', Buffer.from(CODE), { ...ledger, readFile });
      return (
        first?.status === 'attributed' && [first.origin.intentId, first.touchedBy.map((t) => t.intentId)]
      );
    };
    expect(intentOf(null)).toEqual(['I-1', ['I-2']]);
    expect(intentOf(CODE)).toEqual(['I-2', []]);
  });

  it('follows recorded renames', () => {
    ledger.write('I-1', 'old.ts', null, 'run();\nstop();\n');
    ledger.write('I-2', 'new.ts', 'run();\nstop();\n', 'run();\nstop();\n', {
      from_path: 'old.ts',
      mutation: 'move',
    });
    ledger.write('I-2', 'old.ts', 'x', 'x', { from_path: 'new.ts', mutation: 'move' });
    expect(ask('new.ts', 'run();\nstop();\n').map(({ status }) => status)).toEqual([
      'attributed',
      'attributed',
    ]);
    expect(formerPathsOf(index, 'new.ts')).toEqual(new Set(['old.ts']));
  });

  it('looks up hashes of files and blocks (H-82)', () => {
    ledger.write('I-1', 'a.ts', 'x\n', `x\n${CODE}`);
    catchUp(index, ledger.readFrom);
    const { content_hash, ranges } = ledger.lines[0]!.record;
    expect(byHash(index, `sha256:${content_hash}`, ledger.readRecordAt)).toMatchObject([
      { whole: true, ranges: [] },
    ]);
    expect(byHash(index, ranges[0]!.content_hash.toUpperCase(), ledger.readRecordAt)).toMatchObject([
      { whole: false, ranges: [0] },
    ]);
    for (const hash of ['', 'zz', '0'.repeat(64), content_hash.slice(0, 32)]) {
      expect(byHash(index, hash, ledger.readRecordAt)).toEqual([]);
    }
    expect(byContent(index, Buffer.from(CODE.slice(0, -1)), ledger.readRecordAt)).toHaveLength(1);
    expect(byPath(index, 'a.ts')).toEqual([0]);
    expect(byPath(index, 'none.ts')).toEqual([]);
  });

  it("bounds the candidates and still sees the file's own record of a common line", () => {
    for (let i = 0; i < 400; i++)
      ledger.write('I-1', `f${i}.ts`, null, `sharedStatementOfAll(files);\nunique${i}();\n`);
    catchUp(index, ledger.readFrom);
    const offsets = candidatesFor(index, 'f300.ts', ['sharedStatementOfAll(files);\n']);
    expect(offsets).toEqual([ledger.lines[300]!.offset]);
    const [shared] = ask('human.ts', 'sharedStatementOfAll(files);\n');
    expect(shared?.status).toBe('unattributed');
    expect(ask('f300.ts', 'sharedStatementOfAll(files);\nunique300();\n')[0]).toMatchObject({
      origin: { seq: 300 },
    });
  });

  it('answers a large file in parts as it answers its lines one by one', () => {
    let text = '';
    for (let i = 0; i < 500; i++) {
      const next = `${text}begin(part${i});\ncompute(valueOfPart, ${i});\n\nfinish(part${i});\n}\n`;
      ledger.write(`I-${i % 7}`, 'big.ts', text === '' ? null : text, next);
      text = next;
    }
    const whole = ask('big.ts', text);
    expect(whole.map(({ line }) => line)).toEqual(Array.from({ length: 2500 }, (_, i) => i + 1));
    whole.forEach((answer, i) => {
      expect(answer).toMatchObject({
        status: 'attributed',
        origin: { seq: Math.floor(i / 5), originalLine: i + 1 },
      });
    });
    for (const at of [1, 999, 1000, 1001, 2500]) {
      expect(ask('big.ts', text, { start: at, end: at })).toEqual([whole[at - 1]]);
    }
  });

  it('answers nothing of an empty or binary file, or of lines beyond its end', () => {
    ledger.write('I-1', 'a.ts', null, CODE);
    expect(ask('a.ts', '')).toEqual([]);
    expect(ask('a.ts', 'a\0b')).toEqual([]);
    expect(ask('a.ts', CODE, { start: 9, end: 12 })).toEqual([]);
  });

  it('leaves out what the ledger does not confirm', () => {
    ledger.write('I-1', 'a.ts', null, CODE);
    catchUp(index, ledger.readFrom);
    const [first] = explain(index, 'a.ts', Buffer.from(CODE), { readRecordAt: () => undefined });
    expect(first).toEqual({ line: 1, status: 'unattributed', touchedBy: [] });
  });
});
