import { isObject } from '../../core/json.ts';
import { randomHex } from '../../platform/clock.ts';
import { replaceFile } from '../../platform/durable-files.ts';
import { listNames, makeDirectory, readRegular, removeFile } from '../../platform/files.ts';
import { userFolder } from '../../platform/home.ts';
import { underLock } from '../../platform/lock.ts';
import { isRunning } from '../../platform/run.ts';
import {
  addRegistration,
  isRegistered,
  removeRegistration,
  shareRegistration,
  type Target,
} from './temporary-install.ts';

/** A wrapped run, as the folder of runs remembers it. */
interface Run extends Target {
  readonly name: string;
  readonly pid: number;
}

const BUSY_MS = 10_000;

function folder(): string {
  return `${userFolder()}/wraps`;
}

/** Runs begin and end one at a time: else one could take out what another has just counted on. */
function alone<T>(work: () => T): T {
  makeDirectory(folder());
  return underLock(`${folder()}/lock.db`, BUSY_MS, work);
}

function allRuns(): Run[] {
  return listNames(folder())
    .filter((name) => name.endsWith('.json'))
    .flatMap((name) => {
      try {
        const run: unknown = JSON.parse(
          readRegular(`${folder()}/${name}`, 1 << 16)?.toString('utf8') ?? 'null',
        );
        return isObject(run) ? [{ ...(run as unknown as Omit<Run, 'name'>), name }] : [];
      } catch {
        return [];
      }
    });
}

/** Takes runs out, and with the last of a host in a project its registration. */
function forget(ending: readonly Run[]): void {
  for (const run of ending) {
    removeFile(`${folder()}/${run.name}`);
    if (!allRuns().some((other) => shareRegistration(other, run))) removeRegistration(run);
  }
}

/**
 * Registers PactClaw for a run of this process and notes it first, so that whatever happens it can be undone. Returns
 * the run's name, or null where a human has registered PactClaw already: then nothing is added and nothing removed.
 */
export function beginRun(target: Target, pid: number): string | null {
  return alone(() => {
    // Runs whose process is gone without a word: a machine that lost power, a watcher that was killed too.
    forget(allRuns().filter((run) => !isRunning(run.pid)));
    const shared = allRuns().some((other) => shareRegistration(other, target));
    if (!shared && isRegistered(target)) return null;
    const name = `${pid}-${randomHex(4)}.json`;
    replaceFile(`${folder()}/${name}`, `${JSON.stringify({ ...target, pid })}\n`, {
      durable: true,
      mode: 0o600,
    });
    try {
      if (!shared) addRegistration(target);
    } catch (error) {
      removeFile(`${folder()}/${name}`);
      throw error;
    }
    return name;
  });
}

/** Ends a run; once more does no harm. */
export function endRun(name: string): void {
  alone(() => forget(allRuns().filter((run) => run.name === name)));
}
