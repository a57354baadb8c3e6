import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { ResidentEngines } from '../src/hooks/resident.ts';
import { EVENT_BOUNDS } from '../src/hooks/workspace.ts';
import { answerEvent } from '../src/hosts/answer-event.ts';
import { claudeCode } from '../src/hosts/claude-code/adapter.ts';
import { verifyLog } from '../src/ledger/verify.ts';
import type { Bench } from './lib/context.ts';
import { expectCode, runEmptyNode } from './lib/install.ts';
import { Agent, contentOf } from './lib/payloads.ts';
import { Engine, fire } from './lib/resident.ts';
import { atLeast, atMost, type Row, rateRow, timingRow } from './lib/rows.ts';
import { median } from './lib/stats.ts';
import { interleave } from './lib/timing.ts';
import { makeWorkspace } from './lib/workspace.ts';

const SESSIONS = [1, 10, 100, 1_000] as const;
const FILE = 'src/app/part01/a.ts';
const MB = 1 << 20;

const SLICE_MS = 100;

/** Decisions a second, and what one took of this process's processor time. */
interface Worked {
  readonly perSecond: number;
  readonly cpuMs: number;
}

type Send = (payload: object) => Promise<void>;

/** Sessions that have shaken hands, and what each does next: a write that is never the same twice. */
class Crowd {
  #turn = 0;

  private constructor(private readonly agents: readonly Agent[]) {}

  static async gather(root: string, count: number, send: Send): Promise<Crowd> {
    const agents = Array.from({ length: count }, (_, at) => new Agent(root, `session-${count}-${at}`));
    for (const agent of agents)
      for (const phase of ['PreToolUse', 'PostToolUse'] as const)
        await send(agent.select(phase, `${agent.session}-handshake`));
    return new Crowd(agents);
  }

  /**
   * All sessions at once, each asking again as soon as it is answered. Every so often, and outside of what is timed, the
   * calls are ended as hosts end them: no session has hundreds of calls under way.
   */
  async work(ms: number, send: Send): Promise<Worked> {
    const sum = { decisions: 0, ms: 0, cpuMs: 0 };
    while (sum.ms < ms) {
      const open: (() => Promise<void>)[] = [];
      const [begun, cpu] = [performance.now(), process.cpuUsage()];
      await Promise.all(
        this.agents.map(async (agent) => {
          while (performance.now() - begun < Math.min(ms, SLICE_MS)) {
            this.#turn += 1;
            const turn = this.#turn;
            await send(agent.write('PreToolUse', `w${turn}`, FILE, contentOf(turn)));
            open.push(() => send(agent.write('PostToolUse', `w${turn}`, FILE, contentOf(turn))));
          }
        }),
      );
      const { user, system } = process.cpuUsage(cpu);
      sum.cpuMs += (user + system) / 1_000;
      sum.ms += performance.now() - begun;
      sum.decisions += open.length;
      await Promise.all(open.map((end) => end()));
    }
    return { perSecond: (sum.decisions * 1_000) / sum.ms, cpuMs: sum.cpuMs / sum.decisions };
  }
}

/** The engine's own code without its door: what it can decide when nothing else wants the processor. */
async function inProcess(root: string, install: string, quick: boolean): Promise<Row[]> {
  const workspace = makeWorkspace(root, install);
  const engines = new ResidentEngines(install, EVENT_BOUNDS);
  const send: Send = async (payload) => {
    const body = Buffer.from(JSON.stringify(payload));
    const answer = await answerEvent(
      claudeCode,
      (payload as { hook_event_name: string }).hook_event_name,
      () => Promise.resolve(body),
      () => engines.engineAt(root),
    );
    if (answer.code !== 0) throw new Error(answer.stdout);
  };
  const rows: Row[] = [];
  for (const sessions of SESSIONS) {
    const crowd = await Crowd.gather(root, sessions, send);
    await crowd.work(300, send);
    const worked: Worked[] = [];
    for (let round = 0; round < (quick ? 2 : 5); round += 1)
      worked.push(await crowd.work(quick ? 500 : 2_000, send));
    const rates = worked.map(({ perSecond }) => perSecond);
    const judge = sessions === 100 ? atLeast('p50', 5_000) : undefined;
    const note = `processor ${median(worked.map(({ cpuMs }) => cpuMs)).toFixed(3)} ms a decision, the asking included`;
    rows.push({
      ...rateRow(`decisions in the engine, ${sessions} sessions`, rates, '/s', undefined, judge),
      note,
    });
  }
  rows.push(...(await oneByOne(root, send, quick)));
  engines.close();
  const { bad, torn } = verifyLog(workspace.layout.receipts, 'receipts');
  if (bad || torn) throw new Error(`the chain broke: ${JSON.stringify(bad ?? torn)}`);
  return rows;
}

/** One decision at a time, beside what the disk takes to keep a receipt's bytes. */
async function oneByOne(root: string, send: Send, quick: boolean): Promise<Row[]> {
  const agent = new Agent(root, 'alone');
  for (const phase of ['PreToolUse', 'PostToolUse'] as const)
    await send(agent.select(phase, 'alone-handshake'));
  const fd = fs.openSync(path.join(root, '../bare.log'), 'a');
  const line = Buffer.alloc(700, 'x');
  const reading = (offset: number) => ({ file_path: path.join(root, FILE), offset });
  const samples = await interleave(
    {
      floor: {
        run: () => {
          fs.writeSync(fd, line);
          fs.fdatasyncSync(fd);
        },
      },
      write: {
        run: (turn) => send(agent.write('PreToolUse', `o${turn}`, FILE, contentOf(turn))),
        after: (_, turn) => send(agent.write('PostToolUse', `o${turn}`, FILE, contentOf(turn))),
      },
      read: {
        run: (turn) => send(agent.event('PreToolUse', `r${turn}`, 'Read', reading(turn))),
        after: (_, turn) => send(agent.event('PostToolUse', `r${turn}`, 'Read', reading(turn))),
      },
    },
    { rounds: quick ? 3 : 7, times: quick ? 200 : 500, warmup: 100 },
  );
  fs.closeSync(fd);
  const floor = { name: 'write + fdatasync', samples: samples.floor };
  const wanted = atMost('ratio', 3);
  return [
    timingRow('bare write + fdatasync (floor)', samples.floor, 'ms'),
    timingRow('one decision in the engine, Write', samples.write, 'ms', floor, wanted),
    timingRow('one decision in the engine, Read', samples.read, 'ms', floor, wanted),
  ];
}

/** The engine as it runs, asked over HTTP by as many connections as there are sessions. */
async function overSocket(root: string, engine: Engine, install: string, quick: boolean): Promise<Row[]> {
  makeWorkspace(root, install);
  const rows: Row[] = [];
  for (const sessions of SESSIONS) {
    const pool = engine.connect(sessions);
    const send: Send = (payload) => fire(pool, root, payload);
    const crowd = await Crowd.gather(root, sessions, send);
    await crowd.work(300, send);
    const rates: number[] = [];
    for (let round = 0; round < (quick ? 2 : 4); round += 1)
      rates.push((await crowd.work(quick ? 500 : 2_000, send)).perSecond);
    await pool.close();
    const { p50Ms, p99Ms, memoryBytes } = await engine.status();
    const memory = Math.round(memoryBytes / MB);
    const row = rateRow(`decisions over HTTP, ${sessions} sessions`, rates, '/s');
    const limit = { text: 'memory ≤ 150 MB', met: memory <= 150 };
    rows.push({
      ...row,
      ...(sessions === 1_000 ? { target: limit } : {}),
      note: `inside the engine p50 ${p50Ms} ms, p99 ${p99Ms} ms; ${memory} MB`,
    });
  }
  return rows;
}

/** A whole hook, from the host's `exec` to its end, beside shells and a Node that do nothing. */
async function wholeHook(root: string, engine: Engine, install: string, quick: boolean): Promise<Row[]> {
  makeWorkspace(root, install);
  const hook = (home: string, payload: object): SpawnSyncReturns<string> =>
    spawnSync(
      path.join(install, 'bin/pactclaw-hook'),
      [process.execPath, 'claude-code', '--workspace', root, '--event', 'PreToolUse'],
      { input: JSON.stringify(payload), encoding: 'utf8', env: { ...process.env, HOME: home } },
    );
  const pool = engine.connect(1);
  const agent = new Agent(root, 'launched');
  for (const phase of ['PreToolUse', 'PostToolUse'] as const)
    await fire(pool, root, agent.select(phase, 'launched-handshake'));
  await pool.close();
  const nothing = (program: string) => ({ run: () => spawnSync(program, ['-c', ':'], { input: '' }) });
  const write = (home: string, mark: string) => ({
    run: (turn: number) =>
      hook(home, agent.write('PreToolUse', `${mark}${turn}`, FILE, contentOf(`${mark}${turn}`))),
    after: expectCode(0),
  });
  const before = (await engine.status()).events;
  const plan = { rounds: quick ? 3 : 7, times: quick ? 10 : 30, warmup: 3 };
  const samples = await interleave(
    {
      sh: nothing('/bin/sh'),
      bash: nothing('/bin/bash'),
      node: { run: runEmptyNode },
      asked: write(engine.home, 'a'),
      alone: write(path.join(root, '..'), 'b'),
    },
    plan,
  );
  const asked = (await engine.status()).events - before;
  if (asked !== plan.rounds * plan.times + plan.warmup)
    throw new Error(`the engine was asked ${asked} times`);
  const bash = { name: 'bash -c :', samples: samples.bash };
  return [
    timingRow('sh -c : (floor)', samples.sh, 'ms'),
    timingRow('bash -c : (floor)', samples.bash, 'ms'),
    timingRow('node -e 0 (floor)', samples.node, 'ms'),
    timingRow('whole hook, engine asked', samples.asked, 'ms', bash, atMost('ratio', 1.3)),
    timingRow('whole hook, no engine', samples.alone, 'ms', { name: 'node -e 0', samples: samples.node }),
  ];
}

/** The resident engine: many sessions at once, one decision at a time, and the hook that asks it. */
export const run: Bench = async ({ quick, scratch, install, say }) => {
  const engine = await Engine.start(install);
  try {
    // First of all: what a program costs to start grows with the memory of the one that starts it.
    say('as a hook');
    const hooks = await wholeHook(path.join(scratch, 'serve-hook'), engine, install, quick);
    say('over HTTP');
    const asked = await overSocket(path.join(scratch, 'serve-socket'), engine, install, quick);
    say('in this process');
    return [...(await inProcess(path.join(scratch, 'serve-in'), install, quick)), ...asked, ...hooks];
  } finally {
    await engine.stop();
  }
};
