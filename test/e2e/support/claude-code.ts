/**
 * Runs the real Claude Code client, headless, against a scripted model: the only way to know that a hook which
 * answers "deny" is believed by the host. The client gets an environment of its own and a scratch HOME.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  type ModelScript,
  type RecordedRequest,
  type Script,
  startScriptedModel,
} from '../../../fixtures/model/scripted-model.js';

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

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..');

/** Where the client is: `PACTCLAW_E2E_CLAUDE`, else the repository's own tools folder; undefined = not installed. */
export function findClaude(): string | undefined {
  const local = join(ROOT, '.tools', 'claude-code', 'node_modules', '.bin', 'claude');
  const path = process.env.PACTCLAW_E2E_CLAUDE ?? local;
  return existsSync(path) ? path : undefined;
}

/**
 * The whole environment of a run: nothing is inherited but PATH. The proxy points at a closed port, so that a
 * client which tries to reach anything but loopback fails instead of leaving the machine.
 */
export function claudeEnv(home: string, modelUrl: string, extra: Record<string, string> = {}): Record<string, string> {
  return {
    PATH: process.env.PATH ?? '/usr/bin:/bin',
    HOME: home,
    TERM: 'dumb',
    LANG: 'C.UTF-8',
    ANTHROPIC_BASE_URL: modelUrl,
    ANTHROPIC_API_KEY: 'sk-ant-fake',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    DISABLE_TELEMETRY: '1',
    DISABLE_ERROR_REPORTING: '1',
    HTTPS_PROXY: 'http://127.0.0.1:9',
    NO_PROXY: '127.0.0.1,localhost',
    ...extra,
  };
}

/** Runs the client once and waits for it to end; kills its whole process group when `timeoutMs` (60 s) is over. */
export async function runClaude(run: ClaudeRun): Promise<ClaudeResult> {
  const claude = findClaude();
  if (claude === undefined) throw new Error('Claude Code is not installed: set PACTCLAW_E2E_CLAUDE');
  await mkdir(run.home, { recursive: true });
  const script = Array.isArray(run.model) || typeof run.model === 'function' ? { main: run.model } : run.model;
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

function runProcess(file: string, args: string[], run: ClaudeRun, env: Record<string, string>): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { cwd: run.cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    let timedOut = false;
    const timer = setTimeout(() => {
      timedOut = true;
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    }, run.timeoutMs ?? 60_000);
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
    child.once('error', reject);
    child.once('close', (code) => {
      clearTimeout(timer);
      resolve({ code, timedOut, stdout: Buffer.concat(out).toString(), stderr: Buffer.concat(err).toString() });
    });
  });
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
