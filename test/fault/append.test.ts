import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Layout } from '../../src/core/layout.ts';
import { verifyLog } from '../../src/ledger/verify.ts';
import {
  LOGS,
  newSidecar,
  openStore,
  receiptDraft,
  removeState,
  temporaryFolder,
} from '../support/ledger.ts';
import { runs } from '../support/runs.ts';
import { REPOSITORY } from '../support/sources.ts';

/** Processes that are killed. */
const KILLS = runs(80);
const TOGETHER = 4;

let base: string;
let bundle: string;
let layout: Layout;
let count = 0;

beforeAll(async () => {
  base = temporaryFolder('fault');
  // Beside the packages, because the native module is found from here.
  bundle = path.join(REPOSITORY, 'node_modules/.cache', `pactclaw-appender-${process.pid}.mjs`);
  await build({
    entryPoints: [path.join(REPOSITORY, 'test/fault/appender.ts')],
    outfile: bundle,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
  });
}, 60_000);
beforeEach(() => {
  count += 1;
  layout = newSidecar(base, `ws-${count}`);
});
afterAll(() => {
  rmSync(base, { recursive: true, force: true });
  rmSync(bundle, { force: true });
});

/** A running appender and what it said so far. */
class Appender {
  readonly process: ChildProcess;
  readonly ended: Promise<number | null>;
  #said = '';

  constructor(args: readonly string[], prefix: readonly string[] = []) {
    const [command = '', ...rest] = [...prefix, process.execPath, bundle, ...args];
    this.process = spawn(command, rest, { stdio: ['ignore', 'pipe', 'inherit'] });
    this.process.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.#said += text;
    });
    this.ended = new Promise((resolve) => this.process.on('close', resolve));
  }

  /** Whole lines only: the last one may have been cut by a kill. */
  get lines(): string[] {
    return this.#said
      .split('\n')
      .slice(0, -1)
      .filter((line) => line !== 'ready');
  }

  get acknowledged(): string[] {
    return this.lines.filter((line) => !line.startsWith('!'));
  }

  async until(ready: () => boolean): Promise<void> {
    while (!ready() && this.process.exitCode === null) await new Promise((done) => setTimeout(done, 1));
  }
}

function hashesIn(layout: Layout): Set<string> {
  const hashes = LOGS.flatMap(
    (log) => readFileSync(layout[log], 'utf8').match(/"(?:receipt|entry)_hash":"\w+"/g) ?? [],
  );
  return new Set(hashes.map((member) => member.slice(-65, -1)));
}

/** Everything acknowledged is there, appending goes on, and both logs verify. */
function expectWhole(at: Layout, acknowledged: readonly string[]): void {
  {
    using store = openStore(at, 30_000);
    store.transact((tx) => tx.receipt(receiptDraft(1)));
  }
  const hashes = hashesIn(at);
  for (const line of acknowledged)
    for (const hash of line.split(' ')) expect(hashes.has(hash), hash).toBe(true);
  for (const log of LOGS) expect(verifyLog(at[log], log)).toMatchObject({ bad: null, torn: null });
}

describe('a process that is killed', () => {
  test(`loses nothing that it acknowledged, ${KILLS} times`, async () => {
    const acknowledged: string[] = [];
    for (let round = 0; round * TOGETHER < KILLS; round += 1) {
      const appenders = Array.from({ length: TOGETHER }, () => new Appender([layout.root, '100000']));
      await Promise.all(
        appenders.map(async (appender, at) => {
          await appender.until(() => appender.lines.length > (round + at) % 5);
          await new Promise((done) => setTimeout(done, Math.random() * 12));
          appender.process.kill('SIGKILL');
          await appender.ended;
        }),
      );
      for (const appender of appenders) acknowledged.push(...appender.acknowledged);
      if (round % 4 === 1)
        appendFileSync(layout[LOGS[round % 8 < 4 ? 0 : 1]], '{"an append":"that never fin');
      if (round % 4 === 3) removeState(layout);
      expectWhole(layout, acknowledged);
    }
    expect(acknowledged.length).toBeGreaterThan(KILLS);
    expectWhole(layout, acknowledged);
    // Turns are counted once each, whatever died in between.
    const receipts = readFileSync(layout.receipts, 'utf8').split('"turns":1').length - 1;
    expect(openStore(layout).usage('INT-001').turns).toBe(receipts);
  }, 240_000);
});

describe('many processes at once', () => {
  test('eight of them, twenty-five appends each: every one is kept, in one chain', async () => {
    const appenders = Array.from({ length: 8 }, () => new Appender([layout.root, '25']));
    expect(await Promise.all(appenders.map(({ ended }) => ended))).toEqual(Array(8).fill(0));
    const acknowledged = appenders.flatMap((one) => one.acknowledged);
    expect(new Set(acknowledged).size).toBe(200);
    for (const log of LOGS)
      expect(verifyLog(layout[log], log)).toMatchObject({
        lines: 200,
        bad: null,
        torn: null,
        heads: { size: 1 },
      });
    expect(openStore(layout).usage('INT-001')).toEqual({ turns: 200, tokens: 2_000 });
    expectWhole(layout, acknowledged);
  }, 60_000);
});

describe('a full disk', () => {
  test.each([48, 160])(
    'files that may not grow beyond %d KiB: an error, nothing acknowledged is lost',
    async (limit) => {
      const appender = new Appender(
        [layout.root, '100000', '3'],
        ['bash', '-c', `ulimit -f ${limit}; exec "$@"`, 'limited'],
      );
      expect(await appender.ended).toBe(3);
      const failures = appender.lines.filter((line) => line.startsWith('!'));
      expect(failures).toHaveLength(4);
      for (const log of LOGS) expect(statSync(layout[log]).size).toBeLessThanOrEqual(limit * 1024);
      expectWhole(layout, appender.acknowledged);
      const next = new Appender([layout.root, '10']);
      expect(await next.ended).toBe(0);
      expectWhole(layout, [...appender.acknowledged, ...next.acknowledged]);
    },
    60_000,
  );

  const small = path.join('/tmp', `pactclaw-small-${process.pid}`);
  mkdirSync(small, { recursive: true });
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=400k', 'tmpfs', small]).status === 0;
  afterAll(() => {
    if (mounted) spawnSync('umount', [small]);
    rmSync(small, { recursive: true, force: true });
  });

  test.skipIf(!mounted)(
    'a device without space: an error, nothing acknowledged is lost, and it goes on when there is space',
    async () => {
      const full = newSidecar(small, 'ws');
      const appender = new Appender([full.root, '100000', '2']);
      expect(await appender.ended).toBe(3);
      expect(appender.acknowledged.length).toBeGreaterThan(0);
      spawnSync('mount', ['-o', 'remount,size=40m', small]);
      expectWhole(full, appender.acknowledged);
    },
    60_000,
  );
});

describe('state that is taken away while a process works', () => {
  test('the sidecar: the process fails, and the next open says what is missing (H-100)', async () => {
    const appender = new Appender([layout.root, '100000', '1']);
    await appender.until(() => appender.acknowledged.length > 3);
    renameSync(layout.sidecar, `${layout.root}/aside`);
    expect(await appender.ended).toBe(3);
    expect(appender.lines.filter((line) => line.startsWith('!')).at(-1)).toBe(
      '! orchestration state missing',
    );
    expect(existsSync(layout.sidecar)).toBe(false);
    renameSync(`${layout.root}/aside`, layout.sidecar);
    expectWhole(layout, appender.acknowledged);
  }, 30_000);

  test.each(LOGS)(
    '%s: the process fails and makes no new one',
    async (log) => {
      const appender = new Appender([layout.root, '100000', '1']);
      await appender.until(() => appender.acknowledged.length > 3);
      rmSync(layout[log]);
      expect(await appender.ended).toBe(3);
      expect(appender.lines.filter((line) => line.startsWith('!')).at(-1)).toMatch(/is missing$/);
      expect(existsSync(layout[log])).toBe(false);
    },
    30_000,
  );

  test('the database: the next open makes it anew, nothing is lost', async () => {
    const appender = new Appender([layout.root, '60', '10']);
    await appender.until(() => appender.acknowledged.length > 3);
    removeState(layout);
    expect(await appender.ended).toBe(0);
    expectWhole(layout, appender.acknowledged);
  }, 30_000);
});
