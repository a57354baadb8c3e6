import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { takeInTurn } from '../../src/platform/turns.ts';
import { temporaryFolder } from '../support/ledger.ts';
import { REPOSITORY } from '../support/sources.ts';

const LONG = { timeout: 60_000, interval: 10 };

let base: string;
let bundle: string;
let lock: string;
let running: Waiter[] = [];

beforeAll(async () => {
  base = temporaryFolder('turns');
  // Beside the packages, because the native module is found from here.
  bundle = path.join(REPOSITORY, 'node_modules/.cache', `pactclaw-waiter-${process.pid}.mjs`);
  await build({
    entryPoints: [path.join(REPOSITORY, 'test/fault/waiter.ts')],
    outfile: bundle,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
  });
}, 60_000);
beforeEach(() => {
  lock = path.join(fs.mkdtempSync(`${base}/lock-`), 'lock.db');
  running = [];
});
afterEach(() => {
  for (const one of running) one.process.kill('SIGKILL');
});
afterAll(() => {
  fs.rmSync(base, { recursive: true, force: true });
  fs.rmSync(bundle, { force: true });
});

/** A process that waits for the lock. */
class Waiter {
  readonly process: ChildProcess;
  readonly ended: Promise<void>;
  said = '';

  constructor(hold: number | 'stdin' = 0, waitMs = 60_000) {
    this.process = spawn(process.execPath, [bundle, lock, String(waitMs), String(hold)], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    this.process.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.said += text;
    });
    this.ended = new Promise((resolve) => this.process.once('close', () => resolve()));
    running.push(this);
  }

  /** Nanoseconds on the machine's clock at which it got the lock. */
  get tookAt(): bigint {
    return BigInt(/^took (\d+)/.exec(this.said)?.[1] ?? '0');
  }

  async holds(): Promise<this> {
    await vi.waitFor(() => expect(this.said).toContain('took'), LONG);
    return this;
  }

  release(): void {
    this.process.stdin?.end('x');
  }
}

function tickets(): string[] {
  return fs.existsSync(`${lock}-queue`) ? fs.readdirSync(`${lock}-queue`).sort() : [];
}

/** Waiters that came one after the other, behind whoever holds the lock. */
async function lineUp(count: number): Promise<Waiter[]> {
  const waiters: Waiter[] = [];
  for (let at = 0; at < count; at += 1) {
    waiters.push(new Waiter());
    await vi.waitFor(() => expect(tickets()).toHaveLength(at + 1), LONG);
  }
  return waiters;
}

/** The places in which waiters got the lock. */
function order(waiters: readonly Waiter[]): number[] {
  const sorted = [...waiters].sort((a, b) => (a.tookAt < b.tookAt ? -1 : 1));
  return sorted.map((one) => waiters.indexOf(one));
}

describe('U-13: the lock', () => {
  test('is given to waiting processes in the order they came', { timeout: 120_000 }, async () => {
    const holder = await new Waiter('stdin').holds();
    const waiters = await lineUp(6);
    holder.release();
    await Promise.all(waiters.map(({ ended }) => ended));
    expect(waiters.map(({ said }) => said.startsWith('took'))).not.toContain(false);
    expect(order(waiters)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(tickets()).toEqual([]);
  });

  test('passes a waiter that was killed, and outlives a killed holder', { timeout: 120_000 }, async () => {
    const holder = await new Waiter('stdin').holds();
    const [first, second, third] = (await lineUp(3)) as [Waiter, Waiter, Waiter];
    first.process.kill('SIGKILL');
    await first.ended;
    holder.process.kill('SIGKILL');
    await Promise.all([second.ended, third.ended]);
    expect(order([second, third])).toEqual([0, 1]);
    expect(second.said + third.said).not.toContain('!');
    expect(tickets()).toEqual([]);
  });

  test('does not wait for a process that was stopped, which still gets it later', {
    timeout: 120_000,
  }, async () => {
    const holder = await new Waiter('stdin').holds();
    const [first, second] = (await lineUp(2)) as [Waiter, Waiter];
    first.process.kill('SIGSTOP');
    holder.release();
    await second.ended;
    expect(second.said).toContain('took');
    expect(first.said).toBe('');
    first.process.kill('SIGCONT');
    await first.ended;
    expect(first.said).toContain('took');
  });

  test('is refused when the time is over, and the ticket goes', { timeout: 60_000 }, async () => {
    await new Waiter('stdin').holds();
    const late = new Waiter(0, 200);
    await late.ended;
    expect(late.said).toBe('! another process holds the lock\n');
    expect(tickets()).toEqual([]);
  });
});

describe('a queue', () => {
  const put = (name: string, quietMs = 0) => {
    fs.mkdirSync(`${lock}-queue`, { recursive: true });
    fs.writeFileSync(`${lock}-queue/${name}`, '');
    const at = new Date(Date.now() - quietMs);
    fs.utimesSync(`${lock}-queue/${name}`, at, at);
  };
  const ticketOf = (pid: number) => `${'1'.padStart(20, '0')}.${pid}`;

  test('is not made while nobody waits', () => {
    expect(takeInTurn(`${lock}-queue`, 1_000, () => true)).toBe(true);
    expect(fs.existsSync(`${lock}-queue`)).toBe(false);
  });

  test.each([
    ['a process that is gone', 2 ** 22 + 1, 0, 0],
    ['a process that has shown nothing for a minute', process.ppid, 61_000, 0],
    ['a process that has shown nothing for some seconds', process.ppid, 5_000, 1],
  ])('%s is passed', (_what, pid, quietMs, left) => {
    put(ticketOf(pid), quietMs);
    let calls = 0;
    expect(takeInTurn(`${lock}-queue`, 60_000, () => ++calls > 0)).toBe(true);
    expect(tickets()).toHaveLength(left);
  });

  test('a process that took a place and does nothing delays the others and cannot stop them', () => {
    put(ticketOf(process.ppid));
    expect(takeInTurn(`${lock}-queue`, 60_000, () => true)).toBe(true);
  });

  test('what is no ticket stands in nobody’s way', () => {
    put('README');
    expect(takeInTurn(`${lock}-queue`, 0, () => true)).toBe(true);
    expect(tickets()).toEqual(['README']);
  });

  test('a folder that cannot be made leaves the lock to whoever tries', () => {
    fs.writeFileSync(`${lock}-queue`, 'a file');
    let calls = 0;
    expect(takeInTurn(`${lock}-queue`, 60_000, () => ++calls === 3)).toBe(true);
  });
});
