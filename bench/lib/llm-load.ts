import type { Pool } from 'undici';
import { connect } from './llm-client.ts';
import type { Running } from './llm-ends.ts';
import { cpuMsOf } from './process-use.ts';

/** One worker's next step: sends what it sends and gives how many requests that were. */
export type Step = (pool: Pool, worker: number, turn: number) => Promise<number>;

/** What one server did in one block. */
interface Block {
  readonly requests: number;
  readonly ms: number;
  readonly cpuMs: number;
}

/** What both servers did, block by block. */
export interface Load {
  /** Requests a second of each block. */
  readonly rates: { readonly pass: readonly number[]; readonly proxy: readonly number[] };
  /** Processor time of the server, user and system, in milliseconds a request, over all blocks. */
  readonly cpuMs: { readonly pass: number; readonly proxy: number };
}

async function block(
  server: Running,
  pool: Pool,
  connections: number,
  ms: number,
  step: Step,
): Promise<Block> {
  const cpu = cpuMsOf(server.pid);
  const begun = performance.now();
  let requests = 0;
  await Promise.all(
    Array.from({ length: connections }, async (_, worker) => {
      while (performance.now() - begun < ms) {
        const sent = await step(pool, worker, turns++);
        requests += sent;
      }
    }),
  );
  return { requests, ms: performance.now() - begun, cpuMs: cpuMsOf(server.pid) - cpu };
}

/** Never the same twice: what is made of it must be new to the proxy. */
let turns = 0;

/**
 * Loads two servers in short blocks that take turns, the order turned round each time: what else the machine does
 * meets both alike. The first block of each is not counted.
 */
export async function alternate(
  servers: { readonly pass: Running; readonly proxy: Running },
  plan: { readonly connections: number; readonly blocks: number; readonly ms: number },
  step: Step,
): Promise<Load> {
  const { connections, blocks, ms } = plan;
  const names = ['pass', 'proxy'] as const;
  const pools = {
    pass: connect(servers.pass.url, connections),
    proxy: connect(servers.proxy.url, connections),
  };
  const done: Record<(typeof names)[number], Block[]> = { pass: [], proxy: [] };
  for (let at = 0; at <= blocks; at += 1)
    for (const name of at % 2 === 0 ? names : [...names].reverse()) {
      const one = await block(servers[name], pools[name], connections, ms, step);
      if (at > 0) done[name].push(one);
    }
  await Promise.all(names.map((name) => pools[name].close()));
  const rates = (name: 'pass' | 'proxy') => done[name].map((one) => (one.requests * 1_000) / one.ms);
  const perRequest = (name: 'pass' | 'proxy') => {
    const sum = (key: keyof Block) => done[name].reduce((total, one) => total + one[key], 0);
    return sum('cpuMs') / sum('requests');
  };
  return {
    rates: { pass: rates('pass'), proxy: rates('proxy') },
    cpuMs: { pass: perRequest('pass'), proxy: perRequest('proxy') },
  };
}
