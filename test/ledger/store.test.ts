import { createHash } from 'node:crypto';
import fs, {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Layout, layoutOf } from '../../src/core/layout.ts';
import { Store } from '../../src/ledger/store.ts';
import { verifyLog } from '../../src/ledger/verify.ts';
import { LOGS, newSidecar, openStore, receiptDraft, temporaryFolder, traceDraft } from '../support/ledger.ts';

let base: string;
let layout: Layout;
let count = 0;
beforeAll(() => {
  base = temporaryFolder('store');
});
beforeEach(() => {
  count += 1;
  layout = newSidecar(base, `ws-${count}`);
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

/** Canonical JSON once more, so that the test does not rest on what it tests. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${canonical(member)}`).join(',')}}`;
}

function linesOf(file: string): Record<string, unknown>[] {
  return readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

describe('an append', () => {
  test.each([
    ['receipts', 'receipt_hash'],
    ['trace', 'entry_hash'],
  ] as const)('%s: %s and previous_hash can be recomputed by anyone (R-100, R-101, H-77)', (log, field) => {
    using store = openStore(layout);
    for (let n = 0; n < 5; n += 1)
      store.transact((tx) => {
        tx.receipt(receiptDraft(n, { note: 'ünï "q" \\ \u2028 \ufffd 😀', target: 'a\tb' }));
        tx.trace(traceDraft(n));
      });
    let previous = '0'.repeat(64);
    for (const [at, record] of linesOf(layout[log]).entries()) {
      const { [field]: hash, ...rest } = record;
      expect(hash).toBe(createHash('sha256').update(canonical(rest)).digest('hex'));
      expect(record).toMatchObject({ seq: at + 1, previous_hash: previous, writer: store.writer });
      previous = hash as string;
    }
    expect(verifyLog(layout[log], log).lines).toBe(5);
  });

  test('never changes an earlier byte (H-70)', () => {
    using store = openStore(layout);
    let before = Buffer.alloc(0);
    for (let n = 0; n < 20; n += 1) {
      store.transact((tx) => tx.trace(traceDraft(n)));
      const now = readFileSync(layout.trace);
      expect(now.subarray(0, before.length).equals(before)).toBe(true);
      expect(now.length).toBeGreaterThan(before.length);
      before = now;
    }
  });

  test('a receipt has the fields of R-99, an id of its own and whole seconds', () => {
    using store = openStore(layout);
    const [one, two] = store.transact((tx) => [tx.receipt(receiptDraft(1)), tx.receipt(receiptDraft(2))]);
    expect(one.id).not.toBe(two.id);
    expect(one.timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    expect(linesOf(layout.receipts)[1]).toEqual(two);
  });

  test('text that is no Unicode is recorded, not lost', () => {
    using store = openStore(layout);
    store.transact((tx) => {
      tx.receipt(receiptDraft(1, { target: 'src/\ud800', call_id: '\udc00' }));
      tx.trace(traceDraft(1, { rationale: 'half \ud83d' }));
    });
    expect(linesOf(layout.receipts)[0]).toMatchObject({ target: 'src/\ufffd', call_id: '\ufffd' });
    for (const log of LOGS) expect(verifyLog(layout[log], log)).toMatchObject({ lines: 1, bad: null });
  });

  test('two stores of one workspace take turns', () => {
    using one = openStore(layout);
    using two = openStore(layout);
    for (let n = 0; n < 10; n += 1)
      for (const store of [one, two])
        store.transact((tx) => [tx.receipt(receiptDraft(n)), tx.trace(traceDraft(n))]);
    for (const log of LOGS) expect(verifyLog(layout[log], log)).toMatchObject({ lines: 20, bad: null });
  });

  test('a lock that is held for longer than the bound is an error', () => {
    using holder = openStore(layout);
    using waiting = openStore(layout, 50);
    holder.transact(() => {
      expect(() => waiting.transact(() => undefined)).toThrow(/locked/);
    });
  });

  test('a clock that goes back keeps the chain valid', () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    try {
      using store = openStore(layout);
      for (const time of ['2030-01-01', '2020-01-01', '1999-12-31', '2031-05-05']) {
        vi.setSystemTime(new Date(time));
        store.transact((tx) => [tx.receipt(receiptDraft(1)), tx.trace(traceDraft(1))]);
      }
      expect(linesOf(layout.receipts).map(({ timestamp }) => String(timestamp).slice(0, 4))).toEqual(['2030', '2020', '1999', '2031']); // biome-ignore format: one list
    } finally {
      vi.useRealTimers();
    }
    for (const log of LOGS) expect(verifyLog(layout[log], log)).toMatchObject({ lines: 4, bad: null });
  });

  test('reads nothing of the log, whatever its length', () => {
    using store = openStore(layout);
    store.transact((tx) => {
      for (let n = 0; n < 2_000; n += 1) tx.receipt(receiptDraft(n));
    });
    const reads = vi.spyOn(fs, 'readSync');
    try {
      for (let n = 0; n < 3; n += 1) store.transact((tx) => tx.receipt(receiptDraft(n)));
      expect(reads).not.toHaveBeenCalled();
      appendFileSync(layout.receipts, '{"half');
      store.transact(() => undefined);
      expect(reads).toHaveBeenCalled();
    } finally {
      reads.mockRestore();
    }
  });
});

describe('state that cannot be opened', () => {
  const open = (root: string) => () => openStore(layoutOf(root));

  test('no sidecar (H-100)', () => {
    expect(open(`${base}/nothing`)).toThrow('orchestration state missing');
  });

  test('a file where the sidecar should be', () => {
    mkdirSync(`${base}/filed`);
    writeFileSync(`${base}/filed/.orchestration`, '');
    expect(open(`${base}/filed`)).toThrow('orchestration state missing');
  });

  test('a sidecar deleted under an open store', () => {
    const store = openStore(layout);
    store.transact((tx) => tx.receipt(receiptDraft(1)));
    rmSync(layout.sidecar, { recursive: true });
    expect(() => store.transact((tx) => tx.receipt(receiptDraft(2)))).toThrow();
    expect(open(layout.root)).toThrow('orchestration state missing');
    expect(existsSync(layout.sidecar)).toBe(false);
  });

  test.each(LOGS)('a folder where %s should be', (log) => {
    rmSync(layout[log]);
    mkdirSync(layout[log]);
    expect(() => openStore(layout).transact(() => undefined)).toThrow('a log is not a regular file');
  });

  test('a device where a log should be', () => {
    rmSync(layout.receipts);
    symlinkSync('/dev/null', layout.receipts);
    expect(() => openStore(layout).transact(() => undefined)).toThrow('a log is not a regular file');
  });

  test('a folder where the database should be', () => {
    mkdirSync(layout.state);
    expect(() => openStore(layout)).toThrow(/state\.db cannot be used/);
  });

  test('a log that nobody may write, unless the user may write anything', () => {
    chmodSync(layout.receipts, 0o444);
    const write = () => openStore(layout).transact((tx) => tx.receipt(receiptDraft(1)));
    if (process.getuid?.() === 0) expect(write).not.toThrow();
    else expect(write).toThrow();
  });
});

test('the writer id is made once, whole, by the first of many', () => {
  const ids = new Set(Array.from({ length: 5 }, () => openStore(layout).writer));
  expect(ids.size).toBe(1);
  expect(readFileSync(layout.writer, 'utf8')).toBe(`${[...ids][0]}\n`);
  expect(Store).toBeDefined();
});
