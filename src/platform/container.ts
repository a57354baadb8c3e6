import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import type { Duplex } from 'node:stream';
import { LineSplitter } from './line-splitter.ts';

const MAX_LINE = 4096;

/** What a container runs, and where its mounts are described. */
export interface ContainerStart {
  /** The script that makes the mounts and starts the command. */
  readonly script: string;
  /** Private folder with the plan (see the script). */
  readonly plan: string;
  /** Folder that the command starts in. */
  readonly cwd: string;
  readonly command: readonly string[];
  /** Variables that the command must not see. */
  readonly hidden: readonly string[];
  /** The command gets no streams of ours. */
  readonly mute?: boolean;
}

/** How a contained command ended, or why it did not; `ran`: it had been started. */
export type Ending = { readonly code: number } | { readonly failure: string; readonly ran: boolean };

/** A container that is set up, or why there is none. */
export interface Container {
  /** Process that holds the mounts: `/proc/PID/root` is what the command sees. */
  readonly pid: number;
  /** How the command ended, when it has; or why it could not be started. */
  readonly ended: Promise<Ending>;
  /** Hands a signal on to the command's processes. */
  signal(name: NodeJS.Signals): void;
  /** Gives the mounts up. */
  release(): void;
}

/** Processes that a process has started, and theirs, the nearest first (proc(5), `children`). */
export function descendantsIn(pid: number): number[] {
  const found = [pid];
  for (const one of found) {
    let text = '';
    try {
      text = fs.readFileSync(`/proc/${one}/task/${one}/children`, 'utf8');
    } catch {
      // It has ended meanwhile.
    }
    found.push(...text.split(' ').filter(Boolean).map(Number));
  }
  return found.slice(1);
}

/** Ends whatever runs in a container, whoever started it. Its mounts go with its last process. */
export function killContainer(pid: number): void {
  for (const one of [...descendantsIn(pid).reverse(), pid])
    try {
      process.kill(one, 'SIGKILL');
    } catch {
      // It has ended meanwhile.
    }
}

/** What tells a process from a later one with the same number: the time it began, in ticks since the start (proc(5)). */
export function beganAt(pid: number): string | null {
  try {
    const text = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ')[19] ?? null;
  } catch {
    return null;
  }
}

/** Where unshare(1) is. Never looked for on PATH: that may lead to a program of the agent's. */
function unshareProgram(): string {
  const places = ['/usr/bin', '/bin', '/usr/sbin', '/run/current-system/sw/bin'];
  return (
    places.map((folder) => `${folder}/unshare`).find((file) => fs.existsSync(file)) ?? '/usr/bin/unshare'
  );
}

/** Starts a command in a container with our own standard streams. Throws when unshare(1) cannot be started. */
export function startContainer({ script, plan, cwd, command, hidden, mute }: ContainerStart): Container {
  const [uid, gid] = [userNumber(), process.getgid?.() ?? -1];
  const apart = uid === 0 ? ['--mount'] : ['--user', '--map-root-user', '--mount'];
  const env = { ...process.env };
  for (const name of hidden) delete env[name];
  const stream = mute ? 'ignore' : 'inherit';
  const child = spawn(
    unshareProgram(),
    [...apart, '--', '/bin/sh', script, plan, cwd, String(uid), String(gid), ...command],
    { env, cwd: '/', stdio: [stream, stream, stream, 'pipe'] },
  );
  const wire = child.stdio[3] as Duplex;
  const said: string[] = [];
  let ran = false;
  const ended = new Promise<Ending>((resolve) => {
    const take = (text: string) => {
      const [, code] = /^ended (\d+)$/.exec(text) ?? [];
      if (code !== undefined) resolve({ code: Number(code) });
      else if (text === 'ready') ran = true;
      else said.push(text);
    };
    const lines = new LineSplitter(MAX_LINE, take, () => undefined);
    wire.on('data', (chunk: Buffer) => lines.push(chunk));
    wire.on('error', () => undefined);
    child.once('error', (error) => resolve({ failure: error.message, ran }));
    child.once('close', () =>
      resolve({ failure: said.join('; ') || 'the container ended without a word', ran }),
    );
  });
  const pid = child.pid ?? -1;
  return {
    pid,
    ended,
    signal: (name) => {
      for (const one of descendantsIn(pid))
        try {
          process.kill(one, name);
        } catch {
          // It has ended meanwhile.
        }
    },
    release: () => {
      wire.end();
      child.unref();
    },
  };
}

/** The mounts of this process (proc(5), `mountinfo`): where each is, and whether it is writable. */
export function mountsHere(): { readonly place: string; readonly writable: boolean }[] {
  return fs
    .readFileSync('/proc/self/mountinfo', 'utf8')
    .split('\n')
    .flatMap((line) => {
      const [, , , , place, options] = line.split(' ');
      if (place === undefined || options === undefined) return [];
      return [{ place: unescaped(place), writable: options.split(',').includes('rw') }];
    });
}

function unescaped(text: string): string {
  return text.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));
}

/** The system's name and version. */
export function systemName(): string {
  return `${process.platform} ${os.release()}`;
}

/** Number of the user that this process runs as; -1 where there are none. */
export function userNumber(): number {
  return process.getuid?.() ?? -1;
}
