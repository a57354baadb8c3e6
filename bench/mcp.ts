import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import readline from 'node:readline';
import type { Bench } from './lib/context.ts';
import { type Row, timingRow } from './lib/rows.ts';
import { interleave } from './lib/timing.ts';
import { makeWorkspace } from './lib/workspace.ts';

const ADDED_MS = 1;
const RELAY_MS = 0.3;
const LINE = Buffer.alloc(500, 'x');
const NODE = [process.execPath, '--import', import.meta.resolve('tsx')];
const ECHO = [...NODE, path.join(import.meta.dirname, 'lib/mcp-echo-child.ts')];
const PIPE = [...NODE, path.join(import.meta.dirname, 'lib/mcp-pipe-child.ts')];

interface Answer {
  readonly id?: number;
  readonly result?: { readonly isError?: boolean };
  readonly error?: unknown;
}

/** A client that does nothing but write a line and wait for its answer. */
class Caller {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, (answer: Answer) => void>();
  #next = 0;

  constructor([command = '', ...args]: readonly string[], cwd: string) {
    this.#child = spawn(command, args, { cwd, stdio: ['pipe', 'pipe', 'ignore'] });
    const { stdout } = this.#child;
    if (!stdout) throw new Error('the program has no output');
    readline.createInterface({ input: stdout }).on('line', (line) => {
      const answer = JSON.parse(line) as Answer;
      if (answer.id !== undefined) this.#waiting.get(answer.id)?.(answer);
    });
  }

  ask(method: string, params: object): Promise<Answer> {
    this.#next += 1;
    const id = this.#next;
    const answered = new Promise<Answer>((resolve) => this.#waiting.set(id, resolve));
    this.#child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    return answered.finally(() => this.#waiting.delete(id));
  }

  async begin(): Promise<this> {
    const clientInfo = { name: 'bench', version: '1' };
    expectDone(await this.ask('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo }));
    this.#child.stdin?.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
    return this;
  }

  call(name: string, turn: number): Promise<Answer> {
    return this.ask('tools/call', { name, arguments: { turn } });
  }

  close(): void {
    this.#child.stdin?.end();
  }
}

function expectDone(answer: unknown): void {
  const { result, error } = answer as Answer;
  if (error !== undefined || !result || result.isError)
    throw new Error(`not done: ${JSON.stringify(answer)}`);
}

function writeDurably(fd: number): void {
  fs.writeSync(fd, LINE);
  fs.fdatasyncSync(fd);
}

/** What the way costs beyond the direct one, held against a limit. */
function addedRow(name: string, row: Row, direct: Row, limit: number): Row {
  const p50 = row.p50 - direct.p50;
  return { name, n: row.n, unit: 'ms', p50, target: { text: `p50 ≤ ${limit} ms`, met: p50 <= limit } };
}

/** A `tools/call` over standard streams: direct, past a process that passes bytes, and through the proxy. */
export const run: Bench = async ({ quick, scratch, install }) => {
  const root = path.join(scratch, 'mcp');
  const { layout } = makeWorkspace(root, install);
  fs.writeFileSync(layout.config, 'mcp:\n  tools:\n    "echo/look": { kind: read }\n');
  const proxy = [
    path.join(install, 'bin/pactclaw'),
    'mcp',
    'proxy',
    '--name',
    'echo',
    '--intent',
    'INT-001',
    '--',
  ];
  const fd = fs.openSync(path.join(root, 'sync-probe'), 'a');
  const direct = await new Caller(ECHO, root).begin();
  const piped = await new Caller([...PIPE, ...ECHO], root).begin();
  const governed = await new Caller([...proxy, ...ECHO], root).begin();
  const relaying = await new Caller([...proxy, ...ECHO], root).begin();
  try {
    const task = (caller: Caller, tool: string) => ({
      run: (turn: number) => caller.call(tool, turn),
      after: expectDone,
    });
    // Warm, since a session makes many calls; an engine's call costs many times that of the way to it.
    const way = await interleave(
      {
        direct: task(direct, 'look'),
        piped: task(piped, 'look'),
        // What nobody governs takes the same way through the proxy, but for the engine.
        relayed: { run: (turn) => relaying.ask('x/look', { turn }), after: expectDone },
      },
      { rounds: quick ? 3 : 7, times: quick ? 300 : 1000, warmup: 500 },
    );
    const fast = await interleave(
      {
        direct: task(direct, 'look'),
        piped: task(piped, 'look'),
        declared: task(governed, 'look'),
        // What no durable answer can beat: that the call was allowed is on disk before it runs.
        write: { run: () => writeDurably(fd) },
      },
      { rounds: quick ? 3 : 7, times: quick ? 60 : 300, warmup: 300 },
    );
    const slow = await interleave(
      { undeclared: task(governed, 'change') },
      { rounds: 3, times: quick ? 5 : 20, warmup: 2 },
    );
    const base = { name: 'direct', samples: way.direct };
    const beside = { name: 'direct, beside it', samples: fast.direct };
    const rows = {
      direct: timingRow('direct', way.direct, 'ms'),
      piped: timingRow('past a process that passes bytes', way.piped, 'ms', base),
      relayed: timingRow('through the proxy, not governed', way.relayed, 'ms', base),
      beside: timingRow('direct, beside governed calls', fast.direct, 'ms'),
      declared: timingRow('through the proxy, a tool declared to read', fast.declared, 'ms', beside),
      write: timingRow('one durable write of 500 bytes', fast.write, 'ms'),
    };
    const undeclared = timingRow('through the proxy, an undeclared tool (snapshots)', slow.undeclared, 'ms');
    return [
      ...Object.values(rows),
      undeclared,
      addedRow('added by the relay alone', rows.relayed, rows.direct, RELAY_MS),
      {
        ...addedRow('added to a declared read', rows.declared, rows.beside, ADDED_MS),
        note: `${(rows.declared.p50 - rows.beside.p50 - rows.write.p50).toFixed(2)} ms beyond the durable write`,
      },
    ];
  } finally {
    fs.closeSync(fd);
    for (const caller of [direct, piped, governed, relaying]) caller.close();
  }
};
