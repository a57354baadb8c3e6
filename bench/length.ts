import fs from 'node:fs';
import path from 'node:path';
import { Store } from '../src/ledger/store.ts';
import type { Bench } from './lib/context.ts';
import { expectCode, runHook } from './lib/install.ts';
import { type BuiltLedger, ledgerOf, longest } from './lib/ledger.ts';
import { draftReceipt } from './lib/ledger-text.ts';
import { contentOf } from './lib/payloads.ts';
import { atMost, type Row, timingRow } from './lib/rows.ts';
import { interleave, type Task } from './lib/timing.ts';
import { actingAgent, expectAllowed, judge } from './lib/workspace.ts';

const FILE = 'src/app/part01/a.ts';
const LIMIT = 1.2;

/** What is timed on each ledger. */
type Kind = 'append' | 'judge' | 'post' | 'hook';
const TITLES: Readonly<Record<Kind, string>> = {
  append: 'append of one receipt',
  judge: 'Write decided in process',
  post: 'Write recorded in process (Post)',
  hook: 'Write decided, fresh process',
};

async function tasksOn({ workspace }: BuiltLedger, install: string): Promise<Record<Kind, Task>> {
  const { root } = workspace.layout;
  const writer = await actingAgent(workspace, `writer-${process.pid}`);
  const store = Store.open(workspace.layout, workspace);
  const write = (phase: 'PreToolUse' | 'PostToolUse', call: string) =>
    writer.write(phase, call, FILE, contentOf(call));
  return {
    append: { run: (turn) => store.transact((tx) => tx.receipt(draftReceipt(turn))) },
    judge: {
      run: (turn) => judge(workspace, write('PreToolUse', `j${turn}`)),
      after: expectAllowed,
    },
    post: {
      before: async (turn) => {
        expectAllowed(await judge(workspace, write('PreToolUse', `p${turn}`)));
        fs.writeFileSync(path.join(root, FILE), contentOf(`p${turn}`));
      },
      run: (turn) => judge(workspace, write('PostToolUse', `p${turn}`)),
      after: expectAllowed,
    },
    hook: {
      run: (turn) => runHook(install, root, write('PreToolUse', `h${turn}`)),
      after: expectCode(0),
    },
  };
}

/** A call must cost the same whatever was recorded before it. */
export const run: Bench = async (context) => {
  const sizes = [...new Set([10, 10_000, longest(context)])];
  const kinds = Object.keys(TITLES) as Kind[];
  const ledgers = sizes.map((size) => ledgerOf(context, size));
  const tasks: Record<string, Task> = {};
  for (const ledger of ledgers) {
    const made = await tasksOn(ledger, context.install);
    for (const kind of kinds) tasks[`${kind} ${ledger.records}`] = made[kind];
  }
  context.say('measuring');
  const plan = { rounds: context.quick ? 3 : 9, times: context.quick ? 10 : 25, warmup: 5 };
  const samples = await interleave(tasks, plan);
  const of = (kind: Kind, size: number) => samples[`${kind} ${size}`] ?? [];
  const rows: Row[] = [];
  for (const kind of kinds)
    for (const size of sizes) {
      const name = `${TITLES[kind]}, ${size.toLocaleString('en-US')} records`;
      if (size === 10) rows.push(timingRow(name, of(kind, size), 'ms'));
      else {
        const against = { name: '10 records', samples: of(kind, 10) };
        rows.push(timingRow(name, of(kind, size), 'ms', against, atMost('ratio', LIMIT)));
      }
    }
  for (const { records, indexedMs } of ledgers) {
    const name = `verify and index both logs, ${records.toLocaleString('en-US')} records each`;
    rows.push({ name, n: 1, unit: 's', p50: indexedMs / 1_000 });
  }
  return rows;
};
