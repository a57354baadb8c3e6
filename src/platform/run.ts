import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { errnoOf } from './files.ts';

/** How a program ended. `failure` is Node's error code when it could not be started at all. */
export interface RunResult {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly timedOut: boolean;
  readonly failure: string | null;
}

export interface RunOptions {
  readonly cwd?: string;
  /** Added to our own environment; undefined takes a variable out. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Bytes for its standard input; null leaves it open until the program ends. */
  readonly input?: string | Uint8Array | null;
  readonly timeoutMs: number;
  /** Called once it runs. */
  readonly started?: (pid: number) => Promise<void>;
}

const MAX_OUTPUT = 8 << 20;

/** Runs a program without a shell and waits for its end; what hangs is killed, with its children. Never throws. */
export function run(file: string, args: readonly string[], options: RunOptions): Promise<RunResult> {
  return new Promise((resolve) => {
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    let timedOut = false;
    let size = 0;
    const child = spawn(file, args, {
      cwd: options.cwd,
      env: { ...process.env, ...options.env },
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: true,
    });
    const timer = setTimeout(() => {
      timedOut = true;
      killTree(child.pid);
    }, options.timeoutMs);
    const end = (code: number | null, signal: string | null, failure: string | null) => {
      clearTimeout(timer);
      const [stdout, stderr] = [out, err].map((chunks) => Buffer.concat(chunks).toString('utf8'));
      resolve({ code, signal, stdout: stdout ?? '', stderr: stderr ?? '', timedOut, failure });
    };
    const keep = (chunks: Buffer[]) => (chunk: Buffer) => {
      size += chunk.length;
      if (size <= MAX_OUTPUT) chunks.push(chunk);
    };
    child.stdout.on('data', keep(out));
    child.stderr.on('data', keep(err));
    // It is no failure if a program ends before it has read its input.
    child.stdin.on('error', () => undefined);
    child.once('error', (error) => end(null, null, errnoOf(error) ?? 'UNKNOWN'));
    child.once('close', (code, signal) => end(code, signal, null));
    if (options.input !== null) child.stdin.end(options.input ?? '');
    if (child.pid !== undefined) void options.started?.(child.pid).catch(() => undefined);
  });
}

/** Kills a process group that {@link run} started. */
export function killTree(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // The process has already ended.
  }
}

/** Processes that a process has started, and theirs, whose command line holds a text, as `ps` tells. */
export function descendantsOf(pid: number, mention: string): number[] {
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' });
  const rows = (stdout ?? '').split('\n').map((line) => {
    const [, child, parent, args] = /^\s*(\d+)\s+(\d+)\s(.*)$/.exec(line) ?? [];
    return { child: Number(child), parent: Number(parent), args: args ?? '' };
  });
  const family = [pid];
  for (const known of family)
    family.push(...rows.filter(({ parent }) => parent === known).map(({ child }) => child));
  return rows
    .filter(({ child, args }) => child !== pid && family.includes(child) && args.includes(mention))
    .map(({ child }) => child);
}

/** Whether a process is there. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Kills one process at once, as the system does when memory runs out. */
export function killHard(pid: number): void {
  process.kill(pid, 'SIGKILL');
}

/** Waits until a condition holds; false when it does not within the time. */
export async function waitUntil(
  holds: () => boolean | Promise<boolean>,
  timeoutMs: number,
): Promise<boolean> {
  for (let waited = 0; waited < timeoutMs; waited += 20) {
    if (await holds()) return true;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return holds();
}

/** A program on PATH as an absolute path, or null. */
export function findOnPath(name: string): string | null {
  for (const folder of (process.env.PATH ?? '').split(path.delimiter)) {
    if (!path.isAbsolute(folder)) continue;
    const file = path.join(folder, name);
    if (isExecutable(file)) return file;
  }
  return null;
}

/** Whether a file is there that we may execute. */
export function isExecutable(file: string): boolean {
  try {
    fs.accessSync(file, fs.constants.X_OK);
    return fs.statSync(file).isFile();
  } catch {
    return false;
  }
}
