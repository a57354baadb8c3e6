import fs from 'node:fs';
import path from 'node:path';
import type { Bench } from './lib/context.ts';
import { CpuMeter } from './lib/cpu.ts';
import { expectCode, runEmptyNode, runHook } from './lib/install.ts';
import { Agent, contentOf } from './lib/payloads.ts';
import { atMost, type Row, timingRow } from './lib/rows.ts';
import { figure } from './lib/table.ts';
import { interleave, type Task } from './lib/timing.ts';
import { actingAgent, makeWorkspace } from './lib/workspace.ts';

const FILE = 'src/app/part01/a.ts';

/**
 * The hook as a host runs it: a process for each event. Every reply is checked, so that what is measured is the
 * answer it claims to be.
 */
export const run: Bench = async ({ quick, scratch, install }) => {
  const root = path.join(scratch, 'hook');
  const workspace = makeWorkspace(root, install);
  const writer = await actingAgent(workspace, 'writer');
  const shell = await actingAgent(workspace, 'shell');
  const send = (payload: object) => runHook(install, root, payload);
  const chooser = (turn: number) => new Agent(root, `chooser-${turn}`);
  const command = (turn: number) => `grep -c value ${FILE} && echo ${turn}`;
  const event = (payload: (turn: number) => object, after = expectCode(0)): Task => ({
    run: (turn) => send(payload(turn)),
    after,
  });
  const tasks = {
    floor: { run: runEmptyNode } as Task,
    write: event((turn) => writer.write('PreToolUse', `w${turn}`, FILE, contentOf(turn))),
    wrote: {
      // Begins the call that ends here, and does what the tool would have done.
      before: (turn: number) => {
        expectCode(0)(send(writer.write('PreToolUse', `p${turn}`, FILE, contentOf(`p${turn}`))));
        fs.writeFileSync(path.join(root, FILE), contentOf(`p${turn}`));
      },
      run: (turn: number) => send(writer.write('PostToolUse', `p${turn}`, FILE, contentOf(`p${turn}`))),
      after: expectCode(0),
    },
    deny: event(
      (turn) => writer.write('PreToolUse', `d${turn}`, 'README.md', contentOf(turn)),
      expectCode(2, 'is outside the owned_scope'),
    ),
    read: event((turn) =>
      writer.event('PreToolUse', `r${turn}`, 'Read', { file_path: path.join(root, FILE), offset: turn }),
    ),
    select: event((turn) => chooser(turn).select('PreToolUse', `s${turn}`)),
    selected: {
      before: (turn: number) =>
        expectCode(0)(send(new Agent(root, `chosen-${turn}`).select('PreToolUse', `t${turn}`))),
      run: (turn: number) => send(new Agent(root, `chosen-${turn}`).select('PostToolUse', `t${turn}`)),
      after: expectCode(0),
    },
    bash: event((turn) => shell.bash('PreToolUse', `b${turn}`, command(turn))),
    bashed: {
      before: (turn: number) =>
        expectCode(0)(send(shell.bash('PreToolUse', `c${turn}`, `${command(turn)} # again`))),
      run: (turn: number) => send(shell.bash('PostToolUse', `c${turn}`, `${command(turn)} # again`)),
      after: expectCode(0),
    },
  };
  const meters = new Map<string, CpuMeter>();
  const metered = Object.fromEntries(
    Object.entries<Task>(tasks).map(([name, task]) => {
      const meter = new CpuMeter();
      meters.set(name, meter);
      return [name, { ...task, run: meter.children(task.run) }];
    }),
  ) as typeof tasks;
  const samples = await interleave(metered, { rounds: quick ? 3 : 7, times: quick ? 6 : 20, warmup: 2 });
  const floor = { name: 'node -e 0', samples: samples.floor };
  const cpuOf = (key: string) => meters.get(key)?.mean ?? Number.NaN;
  const withCpu = (row: Row, key: string): Row => ({
    ...row,
    note: `processor ${figure(cpuOf(key))} ms, ${figure(cpuOf(key) / cpuOf('floor'))}× the floor's`,
  });
  const extra = (name: string, key: keyof typeof samples): Row =>
    withCpu(timingRow(name, samples[key], 'ms', floor), key);
  const row = (name: string, key: keyof typeof samples): Row =>
    withCpu(timingRow(name, samples[key], 'ms', floor, atMost('ratio', 1.8)), key);
  return [
    withCpu(timingRow('node -e 0 (floor)', samples.floor, 'ms'), 'floor'),
    row('Write, allowed (Pre)', 'write'),
    row('Write, outside the scope (Pre)', 'deny'),
    extra('Write (Post)', 'wrote'),
    extra('Read (Pre)', 'read'),
    extra('select_active_intent (Pre)', 'select'),
    extra('select_active_intent (Post)', 'selected'),
    extra('Bash (Pre, with snapshot)', 'bash'),
    extra('Bash (Post, reconciled)', 'bashed'),
  ];
};
