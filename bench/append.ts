import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { Store } from '../src/ledger/store.ts';
import { verifyLog } from '../src/ledger/verify.ts';
import type { Bench } from './lib/context.ts';
import { draftReceipt } from './lib/ledger-text.ts';
import { atLeast, type Row, rateRow } from './lib/rows.ts';
import { makeWorkspace } from './lib/workspace.ts';

const WRITERS = [1, 8, 32];

/** Appends for a while in this process; records a second. */
function rateFor(ms: number, append: (at: number) => void): number {
  const begun = performance.now();
  let count = 0;
  while (performance.now() - begun < ms) append(count++);
  return (count * 1_000) / (performance.now() - begun);
}

/** Like {@link rateFor}, with 0.1 ms of computing before each append that is not counted: a disk that just slept is slower. */
function pausedRateFor(ms: number, append: () => void): number {
  const begun = performance.now();
  let count = 0;
  let spent = 0;
  while (performance.now() - begun < ms) {
    const ready = performance.now() + 0.1;
    while (performance.now() < ready);
    const from = performance.now();
    append();
    spent += performance.now() - from;
    count += 1;
  }
  return (count * 1_000) / spent;
}

interface Outcome {
  readonly count: number;
  readonly failed: number;
  readonly worstMs: number;
}

function startWriter(root: string, install: string, index: number): ChildProcess {
  const file = path.join(import.meta.dirname, 'lib/append-child.ts');
  return spawn(process.execPath, ['--import', 'tsx', file, root, install, String(index)], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
}

function reply<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    child.once('message', (message) => resolve(message as T));
    child.once('exit', (code) => reject(new Error(`a writer ended with ${code}`)));
  });
}

/** Starts all writers, lets them begin at once, and adds up what they did. */
async function together(root: string, install: string, writers: number, ms: number): Promise<Outcome> {
  const children = Array.from({ length: writers }, (_, at) => startWriter(root, install, at));
  await Promise.all(children.map((child) => reply(child)));
  const outcomes = await Promise.all(
    children.map((child) => {
      const done = reply<Outcome>(child);
      child.send({ ms });
      return done;
    }),
  );
  for (const child of children) if (child.connected) child.disconnect();
  return {
    count: outcomes.reduce((sum, { count }) => sum + count, 0),
    failed: outcomes.reduce((sum, { failed }) => sum + failed, 0),
    worstMs: Math.max(...outcomes.map(({ worstMs }) => worstMs)),
  };
}

/** Durable receipts a second: one process against bare write + fdatasync of the same bytes, then many processes. */
export const run: Bench = async ({ quick, scratch, install, say }) => {
  const workspace = makeWorkspace(path.join(scratch, 'append'), install);
  const { receipts } = workspace.layout;
  const ms = quick ? 400 : 1_000;
  const rates: Record<'bare' | 'paused' | 'reopened' | 'store', number[]> = {
    bare: [],
    paused: [],
    reopened: [],
    store: [],
  };
  {
    using store = Store.open(workspace.layout, workspace);
    const append = (at: number): void => void store.transact((tx) => tx.receipt(draftReceipt(at)));
    for (let at = 0; at < 50; at += 1) append(at);
    const line = `${fs.readFileSync(receipts, 'utf8').trimEnd().split('\n').at(-1)}\n`;
    const other = path.join(scratch, 'bare.log');
    const fd = fs.openSync(other, 'a');
    const bare = (to: number): void => {
      fs.writeSync(to, line);
      fs.fdatasyncSync(to);
    };
    const reopened = (): void => {
      const to = fs.openSync(other, 'a');
      bare(to);
      fs.closeSync(to);
    };
    for (let round = 0; round < (quick ? 3 : 9); round += 1) {
      rates.bare.push(rateFor(ms, () => bare(fd)));
      rates.store.push(rateFor(ms, append));
      rates.reopened.push(rateFor(ms, reopened));
      rates.paused.push(pausedRateFor(ms, () => bare(fd)));
    }
    fs.closeSync(fd);
  }
  const bare = { name: 'write + fdatasync', rates: rates.bare };
  const rows: Row[] = [
    rateRow('bare write + fdatasync', rates.bare, '/s'),
    rateRow('bare, file opened each time', rates.reopened, '/s', bare),
    rateRow('bare, after 0.1 ms of computing', rates.paused, '/s', bare),
    rateRow('Store.transact in one process', rates.store, '/s', bare, atLeast('ratio', 0.7)),
  ];
  for (const writers of WRITERS) {
    say(`${writers} writers`);
    const outcomes: Outcome[] = [];
    const span = quick ? 1_000 : 3_000;
    for (let round = 0; round < (quick ? 1 : 3); round += 1)
      outcomes.push(await together(workspace.layout.root, install, writers, span));
    const perSecond = outcomes.map(({ count }) => (count * 1_000) / span);
    const failed = outcomes.reduce((sum, one) => sum + one.failed, 0);
    const worst = Math.max(...outcomes.map(({ worstMs }) => worstMs));
    rows.push({
      ...rateRow(`${writers} processes`, perSecond, '/s', { name: 'write + fdatasync', rates: rates.bare }),
      note: `longest append ${Math.round(worst)} ms, ${failed} gave up`,
    });
  }
  const check = verifyLog(receipts, 'receipts');
  if (check.bad || check.torn) throw new Error(`the chain broke: ${JSON.stringify(check.bad ?? check.torn)}`);
  return rows;
};
