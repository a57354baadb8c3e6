import { spawn } from 'node:child_process';

/**
 * Starts a program that goes on by itself, with no stream of ours and in a session of its own. Nothing of our own
 * environment goes with it. A failed start is not reported.
 */
export function startDetached(
  file: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): void {
  const child = spawn(file, args, { detached: true, stdio: 'ignore', cwd: '/', env: { ...env } });
  child.on('error', () => undefined);
  child.unref();
}
