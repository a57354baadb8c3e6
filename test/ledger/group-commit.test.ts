import fs, { rmSync } from 'node:fs';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Layout } from '../../src/core/layout.ts';
import { Store } from '../../src/ledger/store.ts';
import { verifyLog } from '../../src/ledger/verify.ts';
import { newSidecar, receiptDraft, temporaryFolder, traceDraft } from '../support/ledger.ts';

let base: string;
let layout: Layout;
let store: Store;
let count = 0;
beforeAll(() => {
  base = temporaryFolder('group');
});
beforeEach(() => {
  count += 1;
  layout = newSidecar(base, `ws-${count}`);
  store = Store.open(layout, { busyMs: 1_000, resident: true });
  return () => store.close();
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

function notesOf(file: string): string[] {
  return fs
    .readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => (JSON.parse(line) as { note: string }).note);
}

test('parts that throw leave nothing; the others are chained, whole and in order', {
  timeout: 60_000,
}, async () => {
  const plan = fc.array(fc.record({ receipts: fc.nat(3), traces: fc.nat(2), fails: fc.boolean() }), {
    maxLength: 12,
  });
  let group = 0;
  await fc.assert(
    fc.asyncProperty(plan, async (parts) => {
      group += 1;
      const before = notesOf(layout.receipts).length;
      const results = await Promise.allSettled(
        parts.map(({ receipts, traces, fails }, at) =>
          store.commit((tx) => {
            tx.putNote(`part-${group}-${at}`, 'done');
            for (let n = 0; n < receipts; n += 1)
              tx.receipt(receiptDraft(n, { note: `${group}.${at}.${n}` }));
            for (let n = 0; n < traces; n += 1) tx.trace(traceDraft(n));
            if (fails) throw new Error('on purpose');
            return at;
          }),
        ),
      );
      expect(results.map(({ status }) => status)).toEqual(
        parts.map(({ fails }) => (fails ? 'rejected' : 'fulfilled')),
      );
      const wanted = parts.flatMap(({ receipts, fails }, at) =>
        fails ? [] : Array.from({ length: receipts }, (_, n) => `${group}.${at}.${n}`),
      );
      expect(notesOf(layout.receipts).slice(before)).toEqual(wanted);
      for (const [at, { fails }] of parts.entries())
        expect(store.note(`part-${group}-${at}`)).toBe(fails ? null : 'done');
      for (const log of ['receipts', 'trace'] as const) expect(verifyLog(layout[log], log).bad).toBeNull();
    }),
    { numRuns: 40 },
  );
});

test('nothing is acknowledged when the append fails: all parts are refused together', async () => {
  await store.commit((tx) => tx.receipt(receiptDraft(1)));
  fs.rmSync(layout.receipts);
  const results = await Promise.allSettled(
    [1, 2, 3].map((n) => store.commit((tx) => tx.receipt(receiptDraft(n)))),
  );
  expect(results.every(({ status }) => status === 'rejected')).toBe(true);
});

test('three hundred parts at once, more than one group takes, are all recorded', async () => {
  await Promise.all(Array.from({ length: 300 }, (_, n) => store.commit((tx) => tx.receipt(receiptDraft(n)))));
  expect(notesOf(layout.receipts)).toHaveLength(300);
  expect(verifyLog(layout.receipts, 'receipts')).toMatchObject({ lines: 300, bad: null });
});

test('a store whose database was put aside or replaced is known to be no longer current', () => {
  expect(store.isCurrent()).toBe(true);
  fs.renameSync(layout.state, `${layout.state}.old`);
  expect(store.isCurrent()).toBe(false);
  fs.copyFileSync(`${layout.state}.old`, layout.state);
  expect(store.isCurrent()).toBe(false);
});
