import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import path from 'node:path';
import { BIN, type Sandbox } from '../../cli/support.ts';

export type Line = Readonly<Record<string, unknown>> & { readonly event?: string };

/** `pactclaw watch` without a terminal, and the lines that it writes. */
export class Watching implements AsyncDisposable {
  readonly #child: ChildProcess;
  out = '';
  err = '';
  readonly ended: Promise<number | null>;

  constructor(box: Sandbox, args: readonly string[]) {
    this.#child = spawn(process.execPath, [BIN, 'watch', ...args], {
      cwd: box.root,
      env: box.env,
      stdio: 'pipe',
    });
    this.#child.stdout?.on('data', (chunk) => {
      this.out += chunk;
    });
    this.#child.stderr?.on('data', (chunk) => {
      this.err += chunk;
    });
    this.ended = new Promise((resolve) => {
      this.#child.once('close', resolve);
    });
  }

  get lines(): Line[] {
    const whole = this.out.slice(0, this.out.lastIndexOf('\n') + 1);
    return whole
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Line);
  }

  told(event: string): Line[] {
    return this.lines.filter((line) => line.event === event);
  }

  /** Waits until something holds; throws with what was said when it does not. */
  async until(holds: () => boolean, what: string): Promise<void> {
    for (let waited = 0; waited < 20_000; waited += 50) {
      if (holds()) return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error(`${what} never came; out: ${this.out}; err: ${this.err}`);
  }

  /** Its output goes nowhere from now on. */
  leave(): void {
    this.#child.stdout?.destroy();
  }

  async end(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    this.#child.kill(signal);
    return await this.ended;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.ended;
  }
}

/** One step of what happens at a terminal; see on-terminal.py. */
export type Step =
  | { readonly wait: string }
  | { readonly send: string }
  | { readonly signal: string }
  | { readonly resize: readonly [columns: number, rows: number] }
  | { readonly mark: true }
  | { readonly run: readonly string[] };

export interface OnTerminal {
  readonly output: string;
  /** Negative: the number of the signal that ended it. */
  readonly code: number;
  readonly hung: boolean;
  readonly failed: Step | null;
  /** The terminal's modes are as they were. */
  readonly restored: boolean;
}

/** Runs `pactclaw ARGS…`, or a shell for null, on a pseudo-terminal. */
export function onTerminal(
  box: Sandbox,
  args: readonly string[] | null,
  steps: readonly Step[],
  env: Readonly<Record<string, string>> = {},
  size: readonly [columns: number, rows: number] = [80, 24],
): OnTerminal {
  const plan = {
    size,
    argv: args ? [process.execPath, BIN, ...args] : ['bash', '--norc', '-i'],
    cwd: box.root,
    env: { ...box.env, TERM: 'xterm-256color', PS1: '$ ', ...env },
    timeout: 20,
    steps,
  };
  const script = path.join(import.meta.dirname, 'on-terminal.py');
  const ran = spawnSync('python3', [script], {
    input: JSON.stringify(plan),
    encoding: 'utf8',
    timeout: 60_000,
  });
  if (ran.status !== 0) throw new Error(`on-terminal.py: ${ran.stderr}`);
  return JSON.parse(ran.stdout) as OnTerminal;
}
