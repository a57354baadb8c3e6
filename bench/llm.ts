import path from 'node:path';
import type { Pool } from 'undici';
import type { Bench, BenchContext } from './lib/context.ts';
import {
  ask,
  callRequests,
  connect,
  firstRequest,
  type Request,
  sideRequest,
  workRequest,
} from './lib/llm-client.ts';
import { type Ends, startEnds } from './lib/llm-ends.ts';
import { alternate, type Load, type Step } from './lib/llm-load.ts';
import { atLeast, atMost, type Row, rateRow, timingRow } from './lib/rows.ts';
import { interleave } from './lib/timing.ts';
import { makeWorkspace } from './lib/workspace.ts';

const CONNECTIONS = [1, 16, 64] as const;
const SIZES = [2, 50, 500] as const;
const ADDED_MS = 2;
const KEPT = 0.7;

/** Time to the first byte at one connection, request by request in turns. */
async function firstBytes({ quick, say }: BenchContext, ends: Ends): Promise<Row[]> {
  say('first byte at one connection');
  const pools = {
    direct: connect(ends.upstream.url),
    pass: connect(ends.pass.url),
    proxy: connect(ends.proxy.url),
  };
  const [side, work] = [sideRequest(), workRequest(10_000, true)];
  const taken: Record<string, number[][]> = {};
  const timed = (name: string, pool: Pool, request: Request) => {
    const rounds: number[][] = [];
    taken[name] = rounds;
    return { run: async () => void rounds.at(-1)?.push(await ask(pool, request, 'session-0')) };
  };
  const tasks = {
    direct: timed('direct', pools.direct, work),
    passSide: timed('passSide', pools.pass, side),
    proxySide: timed('proxySide', pools.proxy, side),
    passWork: timed('passWork', pools.pass, work),
    proxyWork: timed('proxyWork', pools.proxy, work),
  };
  const plan = { rounds: 1, times: quick ? 100 : 400, warmup: 50 };
  for (let round = 0; round < (quick ? 3 : 7); round += 1) {
    for (const rounds of Object.values(taken)) rounds.push([]);
    await interleave(tasks, plan);
  }
  await Promise.all(Object.values(pools).map((pool) => pool.close()));
  const of = (name: keyof typeof tasks) => (taken[name] ?? []).map((round) => round.slice(plan.warmup));
  const added = (name: keyof typeof tasks, base: keyof typeof tasks) =>
    of(name).map((round, at) => round.map((value, turn) => value - (of(base)[at]?.[turn] ?? Number.NaN)));
  const against = (base: keyof typeof tasks) => ({ name: 'pass-through', samples: of(base) });
  const wanted = atMost('p50', ADDED_MS);
  return [
    timingRow('first byte, no proxy', of('direct'), 'ms'),
    timingRow('first byte, pass-through', of('passWork'), 'ms'),
    timingRow('first byte, proxy, side request', of('proxySide'), 'ms', against('passSide')),
    timingRow('first byte, proxy, governed', of('proxyWork'), 'ms', against('passWork')),
    timingRow('  added, side request', added('proxySide', 'passSide'), 'ms', undefined, wanted),
    timingRow('  added, governed', added('proxyWork', 'passWork'), 'ms', undefined, wanted),
  ];
}

function loadRows(name: string, { rates, cpuMs }: Load, judged = true): Row[] {
  const against = {
    name: `pass ${Math.round(rates.pass.reduce((a, b) => a + b, 0) / rates.pass.length)}/s`,
    rates: rates.pass,
  };
  return [
    rateRow(name, rates.proxy, '/s', against, judged ? atLeast('ratio', KEPT) : undefined),
    {
      name: '  processor time a request',
      n: rates.proxy.length,
      unit: 'ms',
      p50: cpuMs.proxy,
      ratio: cpuMs.proxy / cpuMs.pass,
      reference: `pass ${cpuMs.pass.toFixed(2)} ms`,
    },
  ];
}

/** A worker that sends the same request again and again in a session of its own. */
function again(request: Request): Step {
  return async (pool, worker) => {
    await ask(pool, request, `session-${worker}`);
    return 1;
  };
}

/** A worker whose every other request is answered with a tool call, the result of which the next one brings. */
function calling(base: Request): Step {
  return async (pool, worker, turn) => {
    for (const request of callRequests(base, `call_${turn}`, `src/app/part01/${turn}.ts`))
      await ask(pool, request, `session-${worker}`);
    return 2;
  };
}

/** The LLM proxy against a pass-through that governs nothing, with the same HTTP library, in the same run. */
export const run: Bench = async (context) => {
  const { quick, say } = context;
  const workspace = makeWorkspace(path.join(context.scratch, 'llm'), context.install);
  const ends = await startEnds(context.install, workspace.layout.root);
  try {
    say('handshakes');
    const pool = connect(ends.proxy.url);
    for (let at = 0; at < Math.max(...CONNECTIONS); at += 1) await ask(pool, firstRequest(), `session-${at}`);
    await pool.close();
    const rows: Row[] = await firstBytes(context, ends);
    const plan = quick ? { blocks: 4, ms: 200 } : { blocks: 10, ms: 300 };
    const loaded = async (name: string, connections: number, step: Step, judged = true) => {
      say(`${name}, ${connections} connections`);
      const load = await alternate(ends, { ...plan, connections }, step);
      rows.push(...loadRows(`${name}, ${connections} conn.`, load, judged));
    };
    for (const connections of CONNECTIONS) await loaded('side request', connections, again(sideRequest()));
    for (const stream of [true, false])
      for (const kb of SIZES)
        for (const connections of CONNECTIONS) {
          const request = workRequest(kb * 1_000, stream);
          await loaded(`${kb} KB, ${stream ? 'streamed' : 'whole'}`, connections, again(request));
        }
    // What a durable record costs is no pass-through's business: said beside it, and held against nothing.
    for (const connections of CONNECTIONS)
      await loaded('with tool calls', connections, calling(workRequest(2_000, true)), false);
    return rows;
  } finally {
    ends.stop();
  }
};
