import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { createEngine, type HookEngine } from '../../src/hooks/engine.ts';
import { workspaceAt } from '../../src/hooks/workspace.ts';
import { type Agent, TestWorkspace } from './workspace.ts';

/** Folder with the built program that runs commands. */
export const INSTALL = path.resolve(import.meta.dirname, '../..');
const PROGRAM = `${INSTALL}/bin/pactclaw-exec`;

/** How a contained command ended. */
export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A workspace whose commands run as Claude Code starts them, through the program of its seam. */
export class ContainedWorkspace extends TestWorkspace {
  /** Folders in front of the PATH that the host hands on. */
  path = '';
  readonly #variable = process.env.CLAUDE_CODE_SHELL_PREFIX;
  override readonly engine: HookEngine;

  constructor(...args: ConstructorParameters<typeof TestWorkspace>) {
    super(...args);
    this.put('.orchestration/config.yaml', 'execution: {mode: contained}\n');
    process.env.CLAUDE_CODE_SHELL_PREFIX = PROGRAM;
    this.engine = createEngine(workspaceAt(this.root, INSTALL, { busyMs: 20_000, snapshotMs: 20_000 }));
  }

  /** Folder that the host would name for scratch. */
  get temporary(): string {
    return `${this.base}/home/tmp`;
  }

  /** Starts what the host starts for a command of a session. */
  start(sessionId: string, command: string, cwd = this.root): ChildProcess {
    const line = `true && eval '${command.replaceAll("'", `'"'"'`)}' < /dev/null && pwd -P >| ${this.temporary}/cwd`;
    mkdirSync(this.temporary, { recursive: true });
    const env = {
      ...process.env,
      CLAUDE_CODE_SESSION_ID: sessionId,
      PACTCLAW_WORKSPACE: this.root,
      CLAUDE_CODE_MESSAGING_SOCKET: 'socket',
      AI_AGENT: 'claude-code_agent',
      SHELL: '/bin/bash',
      PATH: `${this.path}${process.env.PATH}`,
      TMPDIR: this.temporary,
    };
    return spawn(PROGRAM, [line], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  }

  /** Runs it to its end. */
  ran(sessionId: string, command: string, cwd?: string): Promise<Ran> {
    return endOf(this.start(sessionId, command, cwd));
  }

  /** A whole call of an agent, as its host makes it: asked for, run, told of. */
  async bash(
    agent: Agent,
    command: string,
  ): Promise<Ran & { readonly alarm: string | null; readonly refused: string | null }> {
    const call = agent.call({ tool: 'shell', kind: 'execute', command }, { command });
    const origin = { sessionId: agent.id, host: 'claude-code', transcript: null };
    const { text } = await this.engine.preToolUse({ ...origin, call });
    if (text !== null) return { code: null, stdout: '', stderr: '', alarm: null, refused: text };
    const ran = await this.ran(agent.id, command);
    const { alarm } = await this.engine.postToolUse({
      ...origin,
      call,
      ok: ran.code === 0,
      result: ran.stdout,
    });
    return { ...ran, alarm, refused: null };
  }

  override [Symbol.dispose](): void {
    if (this.#variable === undefined) delete process.env.CLAUDE_CODE_SHELL_PREFIX;
    else process.env.CLAUDE_CODE_SHELL_PREFIX = this.#variable;
    super[Symbol.dispose]();
  }
}

/** Waits for a process and gathers what it says. */
export function endOf(child: ChildProcess): Promise<Ran> {
  return new Promise((resolve, reject) => {
    let [stdout, stderr] = ['', ''];
    child.stdout?.on('data', (chunk: Buffer) => {
      stdout += chunk;
    });
    child.stderr?.on('data', (chunk: Buffer) => {
      stderr += chunk;
    });
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, stdout, stderr }));
  });
}

function isRunning(line: string): boolean {
  return readdirSync('/proc').some((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8') === `${line.replaceAll(' ', '\0')}\0`;
    } catch {
      return false;
    }
  });
}

/** Waits until a process of exactly this command line is there. */
export async function untilRunning(line: string): Promise<void> {
  while (!isRunning(line)) await new Promise((resolve) => setTimeout(resolve, 20));
}
