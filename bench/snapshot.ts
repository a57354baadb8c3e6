import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { Snapshots } from '../src/security/snapshot.ts';
import type { Bench } from './lib/context.ts';
import { codeLine, dice } from './lib/ledger-text.ts';
import { type Row, timingRow } from './lib/rows.ts';
import { interleave, timeOnce } from './lib/timing.ts';
import { makeWorkspace } from './lib/workspace.ts';

const PER_FOLDER = 50;

function git(root: string, args: readonly string[]): void {
  const done = spawnSync('git', ['-C', root, '-c', 'user.name=b', '-c', 'user.email=b@localhost', ...args]);
  if (done.status !== 0) throw new Error(`git ${args[0]} failed: ${done.stderr}`);
}

function fillTree(root: string, files: number): void {
  const next = dice(files);
  for (let at = 0; at < files; at += 1) {
    const file = path.join(root, `lib/part${Math.floor(at / PER_FOLDER)}/file${at}.ts`);
    if (at % PER_FOLDER === 0) fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, Array.from({ length: 80 }, () => codeLine(next)).join(''));
  }
  git(root, ['init', '--quiet']);
  git(root, ['add', '--all']);
  git(root, ['commit', '--quiet', '-m', 'files']);
}

/** What a shell command pays twice: recording the work tree before it and after it. */
export const run: Bench = async ({ quick, scratch, install, say }) => {
  const rows: Row[] = [];
  for (const files of quick ? [100, 1_000] : [100, 1_000, 10_000]) {
    say(`${files} files`);
    const { layout } = makeWorkspace(path.join(scratch, `tree-${files}`), install);
    fillTree(layout.root, files);
    const snapshots = new Snapshots(layout, 60_000);
    const first = await timeOnce(() => snapshots.take());
    const changed = path.join(layout.root, 'lib/part0/file0.ts');
    const samples = await interleave(
      {
        same: { run: () => snapshots.take() },
        changed: {
          before: (turn: number) => fs.writeFileSync(changed, `export const turn = ${turn};\n`),
          run: () => snapshots.take(),
        },
        status: { run: () => git(layout.root, ['status', '--porcelain']) },
      },
      { rounds: quick ? 3 : 5, times: quick ? 5 : 10, warmup: 1 },
    );
    const status = { name: 'git status', samples: samples.status };
    const count = files.toLocaleString('en-US');
    rows.push(
      timingRow(`git status, ${count} files`, samples.status, 'ms'),
      timingRow(`take(), nothing changed, ${count} files`, samples.same, 'ms', status),
      timingRow(`take(), one file changed, ${count} files`, samples.changed, 'ms', status),
      { name: `first take(), ${count} files`, n: 1, unit: 'ms', p50: first.ms },
    );
  }
  return rows;
};
