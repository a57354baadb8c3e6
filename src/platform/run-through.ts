import { spawn } from 'node:child_process';
import os from 'node:os';

const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** Hands on the signals with which a host ends a command, and stays alive itself. Returns what stops that. */
export function onSignals(take: (name: NodeJS.Signals) => void): () => void {
  for (const name of SIGNALS) process.on(name, take);
  return () => {
    for (const name of SIGNALS) process.off(name, take);
  };
}

/** Runs a program with our own streams and environment; gives its exit code, or that of a shell for a signal. */
export function runThrough(file: string, args: readonly string[]): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { stdio: 'inherit' });
    const stop = onSignals((name) => child.kill(name));
    child.once('error', reject);
    child.once('close', (code, signal) => {
      stop();
      resolve(code ?? 128 + (signal === null ? 0 : os.constants.signals[signal]));
    });
  });
}
