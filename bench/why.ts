import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { Store } from '../src/ledger/store.ts';
import { refreshIndex, whyLines } from '../src/ledger/why.ts';
import { blameRepo } from './lib/blame-repo.ts';
import type { Bench } from './lib/context.ts';
import { CpuMeter } from './lib/cpu.ts';
import { ledgerOf, longest } from './lib/ledger.ts';
import { dice } from './lib/ledger-text.ts';
import { atMost, timingRow } from './lib/rows.ts';
import { interleave, timeOnce } from './lib/timing.ts';

const LIMIT_MS = 20;

/** Files of the model repository, as they stand on disk. */
function filesOf(root: string): string[] {
  return fs
    .readdirSync(path.join(root, 'src/lib'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `src/lib/${name}`)
    .sort();
}

/** One line's origin, and a whole file's, in a ledger of a million records; git blame beside it. */
export const run: Bench = async (context) => {
  const { workspace } = ledgerOf(context, longest(context));
  const { root } = workspace.layout;
  using store = Store.open(workspace.layout, workspace);
  context.say('building the index');
  const built = await timeOnce(() => refreshIndex(store));
  const files = filesOf(root);
  const next = dice(99);
  const pick = () => files[Math.floor(next() * files.length)] as string;
  const readFile = (file: string) => fs.readFileSync(path.join(root, file));
  const counts = { attributed: 0, ambiguous: 0, unattributed: 0 };
  const explain = (file: string, range?: { start: number; end: number }) => () => {
    const target = { path: file, content: readFile(file), ...(range ? { range } : {}) };
    return whyLines(store, target, { readFile });
  };
  const lineOf = (file: string) => {
    const lines = readFile(file).toString('latin1').split('\n').length - 1;
    const line = 1 + Math.floor(next() * lines);
    return { start: line, end: line };
  };
  const blame = blameRepo(path.join(context.scratch, 'blame'), 200);
  const git = (args: string[]) => () => spawnSync('git', args, { cwd: blame.root, encoding: 'utf8' });
  const meter = new CpuMeter();
  let asked = explain(pick());
  const samples = await interleave(
    {
      line: {
        before: () => {
          const file = pick();
          asked = explain(file, lineOf(file));
        },
        run: meter.own(() => asked()),
        after: (answers: unknown) => {
          for (const { status } of answers as ReturnType<typeof whyLines>) counts[status] += 1;
        },
      },
      file: {
        before: () => {
          asked = explain(pick());
        },
        run: () => asked(),
      },
      blame: { run: git(['blame', '-L', '80,80', blame.file]) },
      blameFile: { run: git(['blame', blame.file]) },
    },
    { rounds: context.quick ? 3 : 8, times: context.quick ? 20 : 50, warmup: 3 },
  );
  const blameLine = { name: 'git blame -L', samples: samples.blame };
  const total = counts.attributed + counts.ambiguous + counts.unattributed;
  const share = Math.round((100 * counts.attributed) / total);
  return [
    {
      name: `first build of the index, ${longest(context).toLocaleString('en-US')} records`,
      n: 1,
      unit: 's',
      p50: built.ms / 1_000,
      note: `${files.length} files; the index answers from then on`,
    },
    {
      ...timingRow('why of one line', samples.line, 'ms', blameLine, atMost('p95', LIMIT_MS)),
      note: `processor ${meter.mean.toFixed(1)} ms; ${share} % attributed, ${counts.ambiguous} ambiguous, ${counts.unattributed} without an origin`,
    },
    timingRow('why of a whole file', samples.file, 'ms', {
      name: 'git blame of the file',
      samples: samples.blameFile,
    }),
    timingRow(`git blame -L of a file of ${blame.lines} lines, 200 commits (a process)`, samples.blame, 'ms'),
    timingRow('git blame of that file (a process)', samples.blameFile, 'ms'),
  ];
};
