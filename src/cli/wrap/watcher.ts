import { spawn } from 'node:child_process';
import { descendantsOf, isRunning, killHard } from '../../platform/run.ts';
import { installFolder } from '../context.ts';
import { endRun } from './runs.ts';

/** A process that outlives the wrapper, to tidy up after it. */
export interface Watcher {
  /** The agent that must not go on without its governor. */
  watch(pid: number): void;
  /** All is tidied up. */
  dismiss(): void;
}

/** Starts the watcher of a run. It notices the wrapper's end by the pipe between them, however that comes about. */
export function startWatcher(run: string): Watcher {
  const child = spawn(process.execPath, [`${installFolder()}/bin/pactclaw`, 'wrap', '--watch-run', run], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    cwd: '/',
  });
  child.on('error', () => undefined);
  child.stdin.on('error', () => undefined);
  child.unref();
  (child.stdin as unknown as { unref(): void }).unref();
  return {
    watch: (pid) => void child.stdin.write(`${pid}\n`),
    dismiss: () => void child.stdin.end('done\n'),
  };
}

/** The watcher's own work: waits for the wrapper to end, and if it did not tidy up, ends the agent and does it. */
export async function watchRun(run: string): Promise<void> {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
  let told = '';
  for await (const chunk of process.stdin) told += String(chunk);
  const words = told.split('\n').filter((word) => word !== '');
  if (words.includes('done')) return;
  // First the agent, then its hooks: the other way round it would go on ungoverned. What was started may only be the
  // agent's launcher, and is no longer its parent once it is gone.
  const agents = words.map(Number).filter((pid) => Number.isInteger(pid) && pid > 1);
  for (const pid of agents.flatMap((agent) => [...descendantsOf(agent, ''), agent]))
    if (isRunning(pid)) killHard(pid);
  endRun(run);
}
