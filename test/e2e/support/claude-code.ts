/**
 * Runs the real Claude Code client, headless, against a scripted model: the only way to know that a hook which
 * answers "deny" is believed by the host. The client gets an environment of its own and a scratch HOME.
 */
import { spawn } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type ModelScript,
  type RecordedRequest,
  type Script,
  startScriptedModel,
} from '../../../fixtures/model/scripted-model.ts';
import { claudeEnv, findClaude } from './claude-env.ts';

/** How to start one headless run. `model`: what the scripted model says; a bare script is the main turn's. */
export interface ClaudeRun {
  cwd: string;
  home: string;
  model: Script | ModelScript;
  prompt: string;
  args?: string[];
  env?: Record<string, string>;
  timeoutMs?: number;
  /** Session id to resume. */
  resume?: string;
}

/** What came of it. `json` is the client's result object, undefined when stdout was not JSON. */
export interface ClaudeResult {
  code: number | null;
  stdout: string;
  stderr: string;
  json: ClaudeJson | undefined;
  requests: RecordedRequest[];
  timedOut: boolean;
}

/** The keys of the client's result object that tests look at. */
export interface ClaudeJson {
  subtype?: string;
  is_error?: boolean;
  result?: string;
  session_id?: string;
  num_turns?: number;
  stop_reason?: string | null;
  terminal_reason?: string;
  permission_denials?: { tool_name: string; tool_use_id: string; tool_input: unknown }[];
  usage?: Record<string, unknown>;
  [key: string]: unknown;
}

/** Runs the client once and waits for it to end; ends it when `timeoutMs` (60 s) is over. */
export async function runClaude(run: ClaudeRun): Promise<ClaudeResult> {
  const claude = findClaude();
  if (claude === undefined) throw new Error('Claude Code is not installed: set PACTCLAW_E2E_CLAUDE');
  await mkdir(join(run.home, 'tmp'), { recursive: true });
  const script =
    Array.isArray(run.model) || typeof run.model === 'function' ? { main: run.model } : run.model;
  const model = await startScriptedModel(script);
  const args = ['-p', run.prompt, '--output-format', 'json', '--permission-mode', 'acceptEdits'];
  if (run.resume !== undefined) args.push('--resume', run.resume);
  args.push(...(run.args ?? ['--allowedTools', 'Bash', 'Write', 'Edit']));
  try {
    const ended = await runProcess(claude, args, run, claudeEnv(run.home, model.url, run.env));
    return { ...ended, json: parseResult(ended.stdout), requests: model.requests };
  } finally {
    await model.close();
  }
}

type Ended = Pick<ClaudeResult, 'code' | 'stdout' | 'stderr' | 'timedOut'>;

function runProcess(
  file: string,
  args: string[],
  run: ClaudeRun,
  env: Record<string, string>,
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { cwd: run.cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    let timedOut = false;
    const kill = (signal: NodeJS.Signals) => signalGroup(child.pid, signal);
    const timer = setTimeout(() => {
      timedOut = true;
      // The client's own shells lead process groups of their own: only a client that may tidy up ends them.
      kill('SIGTERM');
      setTimeout(() => kill('SIGKILL'), 3_000).unref();
    }, run.timeoutMs ?? 60_000);
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
    child.once('error', reject);
    child.once('close', (code) => {
      clearTimeout(timer);
      resolve({
        code,
        timedOut,
        stdout: Buffer.concat(out).toString(),
        stderr: Buffer.concat(err).toString(),
      });
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

function parseResult(stdout: string): ClaudeJson | undefined {
  try {
    const value: unknown = JSON.parse(stdout);
    const last: unknown = Array.isArray(value) ? value.at(-1) : value;
    return typeof last === 'object' && last !== null ? (last as ClaudeJson) : undefined;
  } catch {
    return undefined;
  }
}
