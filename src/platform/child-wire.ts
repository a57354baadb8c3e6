import { type ChildProcess, spawn } from 'node:child_process';
import { errnoOf } from './files.ts';
import { LineSplitter } from './line-splitter.ts';
import { LineWire } from './line-wire.ts';
import type { Wire } from './wire.ts';

/** A program that speaks over its standard streams. */
export interface ChildOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** Added to our own environment; undefined takes a variable out. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Each line of its standard error. */
  readonly said: (line: string) => void;
}

/** How long a program may take to end once its input has, and again once it was asked to, in milliseconds. */
const GRACE_MS = 2_000;
/** Longest line of a program's standard error that is passed on, in bytes. */
const MAX_SAID = 16 << 10;

function signal(child: ChildProcess, name: 'SIGTERM' | 'SIGKILL'): void {
  if (child.pid === undefined) return;
  try {
    // The whole group: a package runner starts the server as a child of its own.
    process.kill(-child.pid, name);
  } catch {
    // It has ended meanwhile.
  }
}

function within(ms: number, text: string): Promise<string> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(text), ms).unref();
  });
}

function endsWithin(child: ChildProcess, ms: number): Promise<boolean> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined)
    return Promise.resolve(true);
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), ms);
    child.once('exit', () => {
      clearTimeout(timer);
      resolve(true);
    });
  });
}

async function end(child: ChildProcess): Promise<void> {
  if (!(await endsWithin(child, GRACE_MS))) {
    signal(child, 'SIGTERM');
    await endsWithin(child, GRACE_MS);
  }
  signal(child, 'SIGKILL');
}

/**
 * Starts a program without a shell and speaks with it a line a message. It gets a process group of its own, which is
 * ended as a whole: first by the end of its input, then asked to, then killed. Never throws: a program that cannot be
 * started is a wire that tells `closed`.
 */
export function startChild(options: ChildOptions): Wire {
  const child = spawn(options.command, [...options.args], {
    cwd: options.cwd,
    env: { ...process.env, ...options.env },
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
  });
  const exited = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(`it could not be started (${errnoOf(error) ?? error.message})`));
    child.once('exit', (code, by) =>
      resolve(by === null ? `it ended with code ${code ?? 0}` : `it was killed by ${by}`),
    );
  });
  const wire = new LineWire(child.stdout, child.stdin, {
    longIsFatal: true,
    end: () => end(child),
    // Its streams close a moment before or after it ends; how it ended says more.
    reason: (guess) => Promise.race([exited, within(GRACE_MS, guess)]),
  });
  const said = new LineSplitter(MAX_SAID, options.said, () => options.said('(a very long line)'));
  child.stderr.on('data', (chunk: Buffer) => said.push(chunk));
  // A child of its own may hold its output open for ever.
  void exited.then(async (why) => {
    await within(GRACE_MS, why);
    wire.fail(why);
  });
  return wire;
}
