import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { type GovernedProject, PACKAGE, SELECT } from '../../e2e/support/governed.ts';

/** The hook's answer as a host sees it. */
export interface HookAnswer {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly denied: boolean;
  readonly ended: boolean;
  /** Reason, alarm or context, whichever the answer carries. */
  readonly text: string;
}

interface Output {
  readonly continue?: boolean;
  readonly reason?: string;
  readonly systemMessage?: string;
  readonly hookSpecificOutput?: {
    readonly permissionDecision?: string;
    readonly permissionDecisionReason?: string;
    readonly additionalContext?: string;
  };
}

export function toAnswer(code: number | null, stdout: string, stderr: string): HookAnswer {
  const output = (stdout.trim() === '' ? {} : JSON.parse(stdout)) as Output;
  const specific = output.hookSpecificOutput;
  const text =
    specific?.permissionDecisionReason ??
    output.reason ??
    specific?.additionalContext ??
    output.systemMessage ??
    '';
  return {
    code,
    stdout,
    stderr,
    denied: code === 2 || specific?.permissionDecision === 'deny',
    ended: output.continue === false,
    text,
  };
}

/** A host that fires the installed hook program with real payloads, and runs a tool only if it may. */
export class FakeHost {
  #calls = 0;
  /** Whether its hooks start the resident engine. */
  serve: 'auto' | 'off' = 'off';

  constructor(
    readonly project: GovernedProject,
    readonly session = 'session-1',
  ) {}

  get launcher(): string {
    return path.join(PACKAGE, 'bin/pactclaw-hook');
  }

  args(event: string): string[] {
    return [process.execPath, 'claude-code', '--workspace', this.project.root, '--event', event];
  }

  get environment(): NodeJS.ProcessEnv {
    return { PATH: process.env.PATH ?? '', HOME: this.project.home, PACTCLAW_SERVE: this.serve };
  }

  get transcript(): string {
    return path.join(this.project.folder, `${this.session}.jsonl`);
  }

  payload(event: string, more: Record<string, unknown>): string {
    return JSON.stringify({
      session_id: this.session,
      transcript_path: this.transcript,
      cwd: this.project.root,
      hook_event_name: event,
      ...more,
    });
  }

  fire(event: string, more: Record<string, unknown> = {}, env: NodeJS.ProcessEnv = {}): HookAnswer {
    const run = spawnSync(this.launcher, this.args(event), {
      env: { ...this.environment, ...env },
      input: this.payload(event, more),
      encoding: 'utf8',
    });
    return toAnswer(run.status, run.stdout, run.stderr);
  }

  /** The same without waiting, for calls that run at once. */
  fireAsync(event: string, more: Record<string, unknown> = {}): Promise<HookAnswer> {
    return new Promise((resolve, reject) => {
      const child = spawn(this.launcher, this.args(event), { env: this.environment, stdio: 'pipe' });
      let [stdout, stderr] = ['', ''];
      child.stdout.on('data', (chunk) => (stdout += chunk));
      child.stderr.on('data', (chunk) => (stderr += chunk));
      child.once('error', reject);
      child.once('close', (code) => resolve(toAnswer(code, stdout, stderr)));
      child.stdin.end(this.payload(event, more));
    });
  }

  /** A model response in the transcript: one turn, with its tokens. */
  respond(tokens = 100): void {
    const message = {
      id: `msg_${this.session}_${this.#calls}`,
      model: 'model-x',
      content: [{ type: 'text', text: '' }],
      usage: { input_tokens: tokens, output_tokens: 0 },
    };
    fs.appendFileSync(this.transcript, `${JSON.stringify({ type: 'assistant', message })}\n`);
  }

  /** One tool call: the hook before, the tool itself if it may run, the hook after. */
  call(
    tool: string,
    input: Record<string, unknown>,
    work: () => void = () => {},
  ): { before: HookAnswer; after: HookAnswer | null } {
    this.#calls += 1;
    const call = { tool_name: tool, tool_input: input, tool_use_id: `${this.session}-${this.#calls}` };
    const before = this.fire('PreToolUse', call);
    if (before.denied) return { before, after: null };
    work();
    return {
      before,
      after: this.fire('PostToolUse', { ...call, tool_response: { stdout: '', stderr: '' } }),
    };
  }

  select(intent = 'INT-001', reasoning = 'because'): { before: HookAnswer; after: HookAnswer | null } {
    return this.call(SELECT, { intent_id: intent, reasoning });
  }

  write(file: string, text: string): { before: HookAnswer; after: HookAnswer | null } {
    return this.call('Write', { file_path: this.project.path(file), content: text }, () =>
      this.project.put(file, text),
    );
  }

  bash(command: string): { before: HookAnswer; after: HookAnswer | null } {
    return this.call('Bash', { command }, () =>
      spawnSync('bash', ['-c', command], { cwd: this.project.root, env: this.environment }),
    );
  }
}
