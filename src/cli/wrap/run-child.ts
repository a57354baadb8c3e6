import { spawn } from 'node:child_process';
import os from 'node:os';
import { PactError } from '../../core/errors.ts';

/** What a shell reports of a program that a signal ended. */
function exitCodeOf(code: number | null, signal: NodeJS.Signals | null): number {
  return code ?? 128 + (signal === null ? 0 : os.constants.signals[signal]);
}

/**
 * Runs the agent in this terminal and waits for it. Signals of the terminal reach it by themselves; those sent to the
 * wrapper alone are passed on. Resolves to the exit code as a shell would report it.
 */
export function runChild(
  command: readonly string[],
  options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv; readonly started: (pid: number) => void },
): Promise<number> {
  const [file = '', ...args] = command;
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { cwd: options.cwd, env: options.env, stdio: 'inherit' });
    const passOn = (signal: NodeJS.Signals) => () => void child.kill(signal);
    const handlers = (['SIGTERM', 'SIGHUP'] as const).map((signal) => [signal, passOn(signal)] as const);
    for (const [signal, handler] of handlers) process.on(signal, handler);
    const ignore = () => undefined;
    process.on('SIGINT', ignore);
    const done = () => {
      for (const [signal, handler] of handlers) process.off(signal, handler);
      process.off('SIGINT', ignore);
    };
    child.on('spawn', () => options.started(child.pid ?? 0));
    child.on('error', (error) => {
      done();
      reject(
        new PactError(
          'NOT_FOUND',
          `${file} cannot be started: ${error.message}`,
          'Check that it is installed.',
          {},
        ),
      );
    });
    child.on('exit', (code, signal) => {
      done();
      resolve(exitCodeOf(code, signal));
    });
  });
}
