import fs from 'node:fs';
import path from 'node:path';
import { createGovernor } from '../src/cli/api.ts';
import type { Bench } from './lib/context.ts';
import { contentOf } from './lib/payloads.ts';
import { atMost, timingRow } from './lib/rows.ts';
import { figure } from './lib/table.ts';
import { interleave, type Task } from './lib/timing.ts';
import { makeWorkspace } from './lib/workspace.ts';

const FILE = 'src/app/part01/a.ts';
const RECORD = Buffer.alloc(900, 'x');

/** Counts the waits for the disk and the openings of files in this process while `work` runs. */
async function counted(work: () => Promise<void>): Promise<Record<'fdatasync' | 'fsync' | 'open', number>> {
  const counts = { fdatasync: 0, fsync: 0, open: 0 };
  const names = { fdatasync: 'fdatasyncSync', fsync: 'fsyncSync', open: 'openSync' } as const;
  const before = { ...fs };
  for (const [name, call] of Object.entries(names) as [keyof typeof counts, keyof typeof fs][]) {
    const own = before[call] as (...args: unknown[]) => unknown;
    Object.assign(fs, {
      [call]: (...args: unknown[]) => {
        counts[name] += 1;
        return own(...args);
      },
    });
  }
  try {
    await work();
  } finally {
    for (const call of Object.values(names)) Object.assign(fs, { [call]: before[call] });
  }
  return counts;
}

/** The TypeScript API: a governed call of a tool that does nothing, beside the bare append of its two records. */
export const run: Bench = async ({ quick, scratch, install }) => {
  const workspace = makeWorkspace(path.join(scratch, 'api'), install);
  const governor = createGovernor({ workspace: workspace.layout.root });
  await governor.userPrompt();
  await governor.handshakeTool.execute({ intent_id: 'INT-001' });
  const targets = () => [{ path: FILE, role: 'write' as const }];
  const write = governor.tool('write_file', (_: { text: string }) => 'done', { kind: 'write', targets });
  const read = governor.tool('read_file', (_: { turn: number }) => 'text', { kind: 'read' });
  const fd = fs.openSync(path.join(scratch, 'api.log'), 'a');
  const append = (): void => {
    fs.writeSync(fd, RECORD);
    fs.fdatasyncSync(fd);
  };
  const cpu: Record<string, { ms: number; runs: number }> = {};
  const metered = (name: string, work: (turn: number) => unknown): Task => ({
    run: async (turn) => {
      const before = process.cpuUsage();
      await work(turn);
      const { user, system } = process.cpuUsage(before);
      const sum = cpu[name] ?? { ms: 0, runs: 0 };
      cpu[name] = { ms: sum.ms + (user + system) / 1_000, runs: sum.runs + 1 };
    },
  });
  const tasks = {
    floor: metered('floor', () => {
      append();
      append();
    }),
    write: metered('write', (turn) => write({ text: contentOf(turn) })),
    read: metered('read', (turn) => read({ turn })),
  };
  const plan = { rounds: quick ? 3 : 7, times: quick ? 100 : 300, warmup: 300 };
  const samples = await interleave(tasks, plan);
  const calls = 50;
  const counts = await counted(async () => {
    for (let turn = 0; turn < calls; turn += 1) await write({ text: contentOf(`counted-${turn}`) });
  });
  fs.closeSync(fd);
  await governor.stop();
  const floor = { name: '2 × write + fdatasync', samples: samples.floor };
  const used = (name: keyof typeof tasks) =>
    `processor ${figure((cpu[name]?.ms ?? 0) / (cpu[name]?.runs ?? 1))} ms`;
  const each = (name: keyof typeof counts) => `${figure(counts[name] / calls)} ${name}`;
  return [
    { ...timingRow('bare append of two records (floor)', samples.floor, 'ms'), note: used('floor') },
    {
      ...timingRow('governed call, write', samples.write, 'ms', floor, atMost('ratio', 3)),
      note: `${used('write')}; ${each('fdatasync')}, ${each('fsync')}, ${each('open')} a call`,
    },
    {
      ...timingRow('governed call, read', samples.read, 'ms', floor, atMost('ratio', 3)),
      note: used('read'),
    },
  ];
};
