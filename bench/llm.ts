import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { Pool } from 'undici';
import type { Bench } from './lib/context.ts';
import { atLeast, atMost, type Row, rateRow, timingRow } from './lib/rows.ts';
import { interleave } from './lib/timing.ts';
import { makeWorkspace } from './lib/workspace.ts';

const CHILD = path.join(import.meta.dirname, 'lib/llm-child.ts');
const CONNECTIONS = [1, 8, 64] as const;
const ADDED_MS = 2;
const KEPT = 0.8;

/** A server that is under way. */
interface Running {
  readonly url: string;
  readonly child: ChildProcess;
}

function start(command: readonly string[], cwd: string): Promise<Running> {
  const child = spawn(process.execPath, command, { cwd, stdio: ['ignore', 'pipe', 'inherit'] });
  return new Promise((resolve, reject) => {
    let text = '';
    child.once('exit', (code) => reject(new Error(`${command.join(' ')} ended with ${code}`)));
    child.stdout.on('data', (chunk) => {
      text += String(chunk);
      const line = /^\{"url":.*\}$/m.exec(text);
      if (line) resolve({ url: (JSON.parse(line[0]) as { url: string }).url, child });
    });
  });
}

const TOOLS = ['Read', 'Write', 'Bash'].map((name) => ({
  name,
  description: 'A tool of the client. '.repeat(20),
  input_schema: { type: 'object', properties: {} },
}));
const SYSTEM = 'You are an agent that works in a repository. '.repeat(100);

/** A request that asks for no tool: a title, a summary. */
const SIDE = JSON.stringify({
  model: 'model-x',
  max_tokens: 100,
  stream: true,
  system: SYSTEM,
  messages: [{ role: 'user', content: 'Say something short.' }],
});

/** A request in the middle of an agent's work: tools are offered, a result has come back. */
const WORK = JSON.stringify({
  model: 'model-x',
  max_tokens: 100,
  stream: true,
  system: SYSTEM,
  tools: TOOLS,
  messages: [
    { role: 'user', content: 'Begin.' },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'old', name: 'Read', input: {} }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'old', content: 'text '.repeat(2_000) }] },
  ],
});
const BEGIN = JSON.stringify({ ...JSON.parse(WORK), messages: [{ role: 'user', content: 'Begin.' }] });

/** One request; resolves with the milliseconds to the first byte once the whole answer is there. */
async function ask(pool: Pool, body: string, session: string): Promise<number> {
  const begun = performance.now();
  const reply = await pool.request({
    path: '/v1/messages',
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': 'k', 'x-pactclaw-session': session },
    body,
  });
  let first = 0;
  let text = '';
  for await (const chunk of reply.body) {
    if (first === 0) first = performance.now() - begun;
    text += String(chunk);
  }
  if (reply.statusCode !== 200 || !text.includes('message_stop'))
    throw new Error(`${reply.statusCode}: ${text.slice(0, 300)}`);
  return first;
}

/** Requests a second that so many connections get through in a while, each with a session of its own. */
async function rate(url: string, body: string, connections: number, ms: number): Promise<number> {
  const pool = new Pool(url, { connections });
  const until = performance.now() + ms;
  const begun = performance.now();
  let done = 0;
  await Promise.all(
    Array.from({ length: connections }, async (_, at) => {
      while (performance.now() < until) {
        await ask(pool, body, `session-${at}`);
        done += 1;
      }
    }),
  );
  const spent = performance.now() - begun;
  await pool.close();
  return (done * 1_000) / spent;
}

/** The LLM proxy against a pass-through that governs nothing, with the same HTTP library, in the same run. */
export const run: Bench = async (context) => {
  const workspace = makeWorkspace(path.join(context.scratch, 'llm'), context.install);
  const { root } = workspace.layout;
  const tsx = ['--import', 'tsx'];
  const repo = path.resolve(import.meta.dirname, '..');
  const upstream = await start([...tsx, CHILD, 'upstream'], repo);
  const pass = await start([...tsx, CHILD, 'pass', upstream.url], repo);
  const proxy = await start(
    [
      path.join(context.install, 'bin/pactclaw'),
      ...[
        'llm',
        'proxy',
        '--upstream',
        upstream.url,
        '--listen',
        '127.0.0.1:0',
        '--workspace',
        root,
        '--json',
      ],
    ],
    root,
  );
  try {
    const pools = { direct: new Pool(upstream.url), pass: new Pool(pass.url), proxy: new Pool(proxy.url) };
    context.say('handshakes');
    for (let at = 0; at < Math.max(...CONNECTIONS); at += 1) await ask(pools.proxy, BEGIN, `session-${at}`);
    context.say('first byte at one connection');
    const firsts: Record<string, number[][]> = {};
    const timed = (name: string, pool: Pool, body: string) => ({
      run: async () => {
        const list = firsts[name] ?? [[]];
        firsts[name] = list;
        list.at(-1)?.push(await ask(pool, body, 'session-0'));
      },
    });
    const plan = { rounds: 1, times: context.quick ? 100 : 400, warmup: 50 };
    for (let round = 0; round < (context.quick ? 3 : 7); round += 1) {
      for (const list of Object.values(firsts)) list.push([]);
      await interleave(
        {
          direct: timed('direct', pools.direct, WORK),
          passSide: timed('passSide', pools.pass, SIDE),
          proxySide: timed('proxySide', pools.proxy, SIDE),
          passWork: timed('passWork', pools.pass, WORK),
          proxyWork: timed('proxyWork', pools.proxy, WORK),
        },
        plan,
      );
    }
    const of = (name: string) => (firsts[name] ?? []).map((round) => round.slice(plan.warmup));
    const added = (name: string, base: string) =>
      of(name).map((round, at) => round.map((value, turn) => value - (of(base)[at]?.[turn] ?? Number.NaN)));
    const rows: Row[] = [
      timingRow('first byte, no proxy', of('direct'), 'ms'),
      timingRow('first byte, pass-through', of('passWork'), 'ms'),
      timingRow('first byte, proxy, side request', of('proxySide'), 'ms', {
        name: 'pass-through',
        samples: of('passSide'),
      }),
      timingRow('first byte, proxy, governed', of('proxyWork'), 'ms', {
        name: 'pass-through',
        samples: of('passWork'),
      }),
      timingRow(
        '  added, side request',
        added('proxySide', 'passSide'),
        'ms',
        undefined,
        atMost('p50', ADDED_MS),
      ),
      timingRow(
        '  added, governed',
        added('proxyWork', 'passWork'),
        'ms',
        undefined,
        atMost('p50', ADDED_MS),
      ),
    ];
    const ms = context.quick ? 1_000 : 3_000;
    for (const connections of CONNECTIONS) {
      context.say(`requests at ${connections} connections`);
      const rates: Record<string, number[]> = { passSide: [], proxySide: [], passWork: [], proxyWork: [] };
      for (let round = 0; round < 3; round += 1) {
        rates.passSide?.push(await rate(pass.url, SIDE, connections, ms));
        rates.proxySide?.push(await rate(proxy.url, SIDE, connections, ms));
        rates.passWork?.push(await rate(pass.url, WORK, connections, ms));
        rates.proxyWork?.push(await rate(proxy.url, WORK, connections, ms));
      }
      const against = (name: string) => ({ name: 'pass-through', rates: rates[name] ?? [] });
      rows.push(
        rateRow(`requests, ${connections} connections, pass-through`, rates.passWork ?? [], '/s'),
        rateRow(
          `requests, ${connections} connections, side requests`,
          rates.proxySide ?? [],
          '/s',
          against('passSide'),
          atLeast('ratio', KEPT),
        ),
        rateRow(
          `requests, ${connections} connections, governed`,
          rates.proxyWork ?? [],
          '/s',
          against('passWork'),
          atLeast('ratio', KEPT),
        ),
      );
    }
    await Promise.all(Object.values(pools).map((pool) => pool.close()));
    return rows;
  } finally {
    for (const { child } of [proxy, pass, upstream]) {
      child.removeAllListeners('exit');
      child.kill();
    }
  }
};
