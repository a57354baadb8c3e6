/** What the harness needs to know of an agent client to run it headless, cut off from the network and from the machine. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ClientName } from './pins.ts';

/** One headless run: where, against which model (its address without a path), and what it is told. */
export interface Start {
  readonly cwd: string;
  readonly home: string;
  readonly url: string;
  readonly prompt: string;
  /** Session to go on with. */
  readonly resume?: string;
}

/** What a client's own output says; undefined where it says nothing of it. */
export interface Said {
  /** The model's last words. */
  readonly answer?: string | undefined;
  /** What `resume` takes. */
  readonly session?: string | undefined;
}

export interface Client {
  readonly name: ClientName;
  /** Files in the scratch HOME without which it does not start; what is there already stays. */
  readonly files: (home: string, cwd: string) => Readonly<Record<string, string>>;
  /** Beside what every client gets (see {@link baseEnv}). */
  readonly env: (start: Start) => Record<string, string>;
  readonly args: (start: Start) => string[];
  /** Why a session cannot be gone on with headless. */
  readonly resumesNot?: string;
  /** What the model is told of each of its calls, where that stands beside the results too. */
  readonly told?: (body: Record<string, unknown>) => string[];
  readonly read: (stdout: string) => Said;
}

/**
 * What every client gets: nothing is inherited but PATH. The proxy points at a closed port, so that a client which tries
 * to reach anything but loopback fails instead of leaving the machine.
 */
export function baseEnv(home: string): Record<string, string> {
  return {
    PATH: process.env.PATH ?? '/usr/bin:/bin',
    HOME: home,
    PACTCLAW_SERVE: 'off',
    TMPDIR: join(home, 'tmp'),
    TERM: 'dumb',
    LANG: 'C.UTF-8',
    HTTP_PROXY: 'http://127.0.0.1:9',
    HTTPS_PROXY: 'http://127.0.0.1:9',
    NO_PROXY: '127.0.0.1,localhost',
  };
}

/** Lays the client's files into the scratch HOME, and the folder for its temporary files. */
export function prepareHome(client: Client, home: string, cwd: string): void {
  mkdirSync(join(home, 'tmp'), { recursive: true });
  for (const [file, text] of Object.entries(client.files(home, cwd))) {
    const target = join(home, file);
    mkdirSync(dirname(target), { recursive: true });
    if (!existsSync(target)) writeFileSync(target, text);
  }
}

/** The lines of an output that are JSON objects; clients print notices between them. */
export function jsonLines(stdout: string): Record<string, unknown>[] {
  return stdout.split('\n').flatMap((line) => {
    try {
      const value: unknown = JSON.parse(line);
      return typeof value === 'object' && value !== null ? [value as Record<string, unknown>] : [];
    } catch {
      return [];
    }
  });
}
