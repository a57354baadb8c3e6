import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import path from 'node:path';
import { describe } from 'vitest';
import { readChanges, type TreeChange } from '../../src/execution/changes.ts';
import { type PreparedRun, prepareRun, type Setting } from '../../src/execution/prepare.ts';
import { whyNotContained } from '../../src/execution/probe.ts';
import { startContainer } from '../../src/platform/container.ts';
import { entryAt } from '../../src/platform/tree.ts';

const SCRIPT = path.resolve(import.meta.dirname, '../../bin/pactclaw-container');

/** A folder and a home beside it, outside the folders that a container sees as scratch. */
export class ContainerPlace implements Disposable {
  readonly base = realpathSync(mkdtempSync('/var/tmp/pactclaw-container-'));
  readonly root = `${this.base}/tree`;
  readonly home = `${this.base}/home`;
  readonly #home = process.env.HOME;

  constructor() {
    mkdirSync(this.root);
    mkdirSync(this.home);
    process.env.HOME = this.home;
  }

  get setting(): Setting {
    const { root, home } = this;
    return { root, home, uid: process.getuid?.() ?? -1, temporary: null, forbidden: [] };
  }

  /** Why nothing can be contained here, or null. */
  why(): Promise<string | null> {
    return whyNotContained(this.setting, SCRIPT);
  }

  /** Runs a script in a container; what it wrote is read before the view goes. */
  async run(
    script: string,
  ): Promise<{ readonly run: PreparedRun; readonly code: number; readonly changes: readonly TreeChange[] }> {
    const run = prepareRun(this.setting);
    const command = ['bash', '-c', script];
    const container = startContainer({
      script: SCRIPT,
      plan: run.folder,
      cwd: this.root,
      command,
      hidden: [],
      mute: true,
    });
    const ended = await container.ended;
    if ('failure' in ended) throw new Error(ended.failure);
    const [layer] = run.layers;
    if (!layer) throw new Error('no layer');
    const [lower, upper] = [Buffer.from(this.root), Buffer.from(layer.upper)];
    const merged = Buffer.from(`/proc/${container.pid}/root${this.root}`);
    const beganNs = entryAt(Buffer.from(`${run.folder}/mounts.1`))?.changedNs ?? 0n;
    const changes = [...readChanges({ lower, upper, merged, beganNs })];
    container.release();
    return { run, code: ended.code, changes };
  }

  [Symbol.dispose](): void {
    if (this.#home === undefined) delete process.env.HOME;
    else process.env.HOME = this.#home;
    rmSync(this.base, { recursive: true, force: true });
  }
}

async function whyNone(): Promise<string | null> {
  using place = new ContainerPlace();
  // The place goes when this function ends.
  return await place.why();
}

/** Why this machine makes no containers, or null. */
const NONE = await whyNone();

/** A suite that needs containers: skipped, with the reason in its name, where there are none. */
export function describeContained(name: string, suite: () => void): void {
  describe.skipIf(NONE !== null)(NONE === null ? name : `${name} (skipped: ${NONE})`, suite);
}
