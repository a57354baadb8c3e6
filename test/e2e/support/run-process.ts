/** Runs a client to its end, and ends it with everything it started when it takes too long. */
import { spawn } from 'node:child_process';

/** How a process ended. `timedOut`: it was ended because its time was over. */
export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
  timedOut: boolean;
}

export interface ProcessRun {
  file: string;
  args: readonly string[];
  cwd: string;
  /** The whole environment; nothing is inherited. */
  env: Record<string, string>;
  timeoutMs: number;
}

/** Runs the process in a group of its own, with nothing on standard input. */
export function runProcess({ file, args, cwd, env, timeoutMs }: ProcessRun): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    let timedOut = false;
    const timer = setTimeout(() => {
      timedOut = true;
      // A client's own shells lead process groups of their own: only a client that may tidy up ends them.
      signalGroup(child.pid, 'SIGTERM');
      setTimeout(() => signalGroup(child.pid, 'SIGKILL'), 3_000).unref();
    }, timeoutMs);
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
    child.once('error', reject);
    child.once('close', (code) => {
      clearTimeout(timer);
      const text = (chunks: Buffer[]) => Buffer.concat(chunks).toString();
      resolve({ code, timedOut, stdout: text(out), stderr: text(err) });
    });
  });
}

/** Signals the client together with the servers and hooks it started; all may be gone already. */
function signalGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // Ended between the timer and the signal: nothing left to end.
  }
}
