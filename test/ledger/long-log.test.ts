import { appendFileSync, cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Layout } from '../../src/core/layout.ts';
import { Store } from '../../src/ledger/store.ts';
import {
  newSidecar,
  openStore,
  quarantined,
  receiptDraft,
  temporaryFolder,
  viewOf,
} from '../support/ledger.ts';

/** Shorter than any log here: the whole is never read. */
const hurried = { busyMs: 1_000, readLimit: 100 };

let base: string;
let layout: Layout;
beforeEach(() => {
  base = temporaryFolder('long-log');
  layout = newSidecar(base, 'space');
  append(5);
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

function append(count: number): void {
  using store = openStore(layout);
  for (let at = 0; at < count; at += 1) store.transact((tx) => tx.receipt(receiptDraft(at)));
}

/** Leaves the log with what `work` did to it and the database as it was before, as when the process dies between. */
function dyingBeforeCommit(work: () => void): void {
  cpSync(layout.state, `${base}/state.db`);
  work();
  cpSync(`${base}/state.db`, layout.state);
  for (const suffix of ['-wal', '-shm']) rmSync(`${layout.state}${suffix}`, { force: true });
}

function next(): void {
  using store = Store.open(layout, hurried);
  store.transact((tx) => tx.receipt(receiptDraft(0)));
}

describe('a log too long to be read while a call waits', () => {
  test('takes in a finished append whose process died', () => {
    dyingBeforeCommit(() => append(2));
    next();
    const whole = viewOf(layout);
    expect(whole.lines).toContainEqual(expect.objectContaining({ name: 'receipts', lines: 8 }));
    rmSync(layout.state);
    openStore(layout).transact(() => undefined);
    expect(viewOf(layout)).toEqual(whole);
  });

  test('sets an unfinished append aside', () => {
    appendFileSync(layout.receipts, '{"half');
    next();
    expect(quarantined(layout)).toBe(true);
    expect(readFileSync(layout.receipts, 'utf8')).toMatch(/pactclaw\.recovery/);
  });

  test('is refused with the true line when what came to it is not of the chain', () => {
    const lines = readFileSync(layout.receipts, 'utf8').split('\n');
    appendFileSync(layout.receipts, `${lines[1]}\n`);
    expect(() => next()).toThrow(/repeats or re-orders seq 2/);
    appendFileSync(layout.receipts, '{}\n');
    expect(() => next()).toThrow(expect.objectContaining({ place: { file: layout.receipts, line: 6 } }));
  });

  test.each([
    [
      'a byte was changed',
      () =>
        writeFileSync(
          layout.receipts,
          readFileSync(layout.receipts, 'utf8').replace('file_write', 'file_writE'),
        ),
    ],
    [
      'it was cut',
      () =>
        writeFileSync(
          layout.receipts,
          readFileSync(layout.receipts, 'utf8').split('\n').slice(0, 3).join('\n'),
        ),
    ],
    ['another file stands in its place', () => replaceWithCopy()],
    ['the database is lost', () => rmSync(layout.state)],
  ])('is refused when %s, until it is verified without haste', (_, work) => {
    const good = readFileSync(layout.receipts);
    work();
    expect(() => next()).toThrow(/too long to be verified/);
    writeFileSync(layout.receipts, good);
    expect(() => next()).toThrow(/too long to be verified/);
    openStore(layout).transact(() => undefined);
    expect(() => next()).not.toThrow();
  });
});

function replaceWithCopy(): void {
  cpSync(layout.receipts, `${base}/copy`);
  rmSync(layout.receipts);
  cpSync(`${base}/copy`, layout.receipts);
}
