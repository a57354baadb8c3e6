import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Bench } from './lib/context.ts';
import { ask, callRequests, connect, firstRequest, sideRequest, workRequest } from './lib/llm-client.ts';
import { startEnds } from './lib/llm-ends.ts';
import { Agent, contentOf } from './lib/payloads.ts';
import { residentMiB } from './lib/process-use.ts';
import { Engine, fire } from './lib/resident.ts';
import type { Row } from './lib/rows.ts';
import { makeWorkspace } from './lib/workspace.ts';

/** Steps a second of each of the two servers. */
const RATE = 10;
/** Sessions at once; each is over after so many steps, and another one begins. */
const SESSIONS = 16;
const STEPS = 40;
/** Lengths that a session's conversation goes through, in kilobytes. */
const GROWTH = [5, 20, 50, 100, 200].map((kb) => workRequest(kb * 1_000, true));

type Step = (turn: number) => Promise<unknown>;

/** A step at a steady rate until the time is over, none before the last is done; gives how many there were. */
async function steadily(until: number, step: Step): Promise<number> {
  let turn = 0;
  for (let due = performance.now(); due < until; due += 1_000 / RATE) {
    await sleep(Math.max(0, due - performance.now()));
    await step(turn);
    turn += 1;
  }
  return turn;
}

/** Session of a step, and how far that session is. */
function placeOf(turn: number): { readonly session: string; readonly at: number } {
  const at = Math.floor(turn / SESSIONS);
  return { session: `soak-${turn % SESSIONS}-${Math.floor(at / STEPS)}`, at: at % STEPS };
}

function rowsOf(name: string, samples: readonly number[], steps: number): Row[] {
  const row = (what: string, value: number, note?: string): Row => ({
    name: `${name}, ${what}`,
    n: 1,
    unit: 'MiB',
    p50: value,
    ...(note === undefined ? {} : { note }),
  });
  const rows = samples.map((value, minute) => row(minute === 0 ? 'before' : `minute ${minute}`, value));
  const [settled, last] = [samples[2], samples.at(-1)];
  if (settled !== undefined && last !== undefined && samples.length > 3)
    rows.push(row('growth from minute 2', last - settled, `${steps} steps`));
  return rows;
}

/**
 * Resident memory of the LLM proxy and of the resident engine under a steady load of sessions that come and go. Runs
 * for ten minutes, or as long as `--minutes` says, and only when it is asked for.
 */
export const run: Bench = async ({ scratch, install, say, minutes = 10 }) => {
  const llm = makeWorkspace(path.join(scratch, 'soak-llm'), install);
  const served = makeWorkspace(path.join(scratch, 'soak-serve'), install);
  const { root } = served.layout;
  const ends = await startEnds(install, llm.layout.root);
  const engine = await Engine.start(install);
  const clients = { proxy: connect(ends.proxy.url, 4), engine: engine.connect(4) };
  const agents = new Map<string, Agent>();
  const talk: Step = async (turn) => {
    const { session, at } = placeOf(turn);
    if (at === 0) return ask(clients.proxy, firstRequest(), session);
    const base = GROWTH[Math.floor((at * GROWTH.length) / STEPS)] ?? sideRequest();
    if (at % 10 === 9) return ask(clients.proxy, sideRequest(), session);
    for (const request of callRequests(base, `call_${turn}`, `src/app/part01/${turn}.ts`))
      await ask(clients.proxy, request, session);
  };
  const write: Step = async (turn) => {
    const { session, at } = placeOf(turn);
    const send = (payload: object) => fire(clients.engine, root, payload);
    if (at === 0) {
      const agent = new Agent(root, session);
      agents.set(`${turn % SESSIONS}`, agent);
      for (const phase of ['PreToolUse', 'PostToolUse'] as const)
        await send(agent.select(phase, `${session}-handshake`));
      return;
    }
    const agent = agents.get(`${turn % SESSIONS}`);
    for (const phase of ['PreToolUse', 'PostToolUse'] as const)
      await send(agent?.write(phase, `w${turn}`, 'src/app/part01/a.ts', contentOf(turn)) ?? {});
  };
  const memory = { proxy: [residentMiB(ends.proxy.pid)], engine: [residentMiB(engine.pid)] };
  try {
    const until = performance.now() + minutes * 60_000;
    const watch = async (): Promise<void> => {
      for (let minute = 1; minute <= minutes; minute += 1) {
        await sleep(Math.max(0, until - (minutes - minute) * 60_000 - performance.now()));
        memory.proxy.push(residentMiB(ends.proxy.pid));
        memory.engine.push(residentMiB(engine.pid));
        const now = (name: 'proxy' | 'engine') => `${Math.round(memory[name].at(-1) ?? 0)} MiB`;
        say(`minute ${minute}: LLM proxy ${now('proxy')}, resident engine ${now('engine')}`);
      }
    };
    const [talks, writes] = await Promise.all([steadily(until, talk), steadily(until, write), watch()]);
    return [...rowsOf('LLM proxy', memory.proxy, talks), ...rowsOf('resident engine', memory.engine, writes)];
  } finally {
    await Promise.all(Object.values(clients).map((pool) => pool.close()));
    await engine.stop();
    ends.stop();
  }
};
