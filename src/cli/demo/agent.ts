import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { run, type Scratch } from './scratch.ts';

/** What the hook said to an event. */
export interface Answered {
  readonly allowed: boolean;
  /** The refusal, or what the agent was told. */
  readonly text: string;
  readonly ended: boolean;
}

interface HookOutput {
  readonly continue?: boolean;
  readonly reason?: string;
  readonly hookSpecificOutput?: {
    readonly permissionDecision?: string;
    readonly permissionDecisionReason?: string;
    readonly additionalContext?: string;
  };
}

/**
 * A scripted agent in a host of our own making: it fires the same hook program with the same payloads that Claude
 * Code would, and runs a tool only if the hook lets it.
 */
export class ScriptedAgent {
  #calls = 0;

  constructor(
    private readonly scratch: Scratch,
    private readonly session: string,
  ) {}

  #fire(event: string, payload: Record<string, unknown>): Answered {
    const { root, install } = this.scratch;
    const common = {
      session_id: this.session,
      cwd: root,
      hook_event_name: event,
      transcript_path: this.#transcript(),
    };
    const args = ['claude-code', '--workspace', root, '--event', event];
    const [program, before] =
      process.platform === 'win32'
        ? [process.execPath, [path.join(install, 'dist/hook.cjs')]]
        : [path.join(install, 'bin/pactclaw-hook'), [process.execPath]];
    const { code, stdout, stderr } = run(
      this.scratch,
      program,
      [...before, ...args],
      JSON.stringify({ ...common, ...payload }),
    );
    const output = JSON.parse(stdout === '' ? '{}' : stdout) as HookOutput;
    const specific = output.hookSpecificOutput;
    const text =
      specific?.permissionDecisionReason ?? output.reason ?? specific?.additionalContext ?? stderr.trim();
    return {
      allowed: code === 0 && specific?.permissionDecision !== 'deny',
      text,
      ended: output.continue === false,
    };
  }

  /** The transcript that the engine counts turns and tokens from; each call is a response of its own. */
  #transcript(): string {
    return path.join(this.scratch.folder, `${this.session}.jsonl`);
  }

  #respond(id: string, tool: string): void {
    const message = {
      id: `msg_${id}`,
      model: 'scripted-model',
      content: [{ type: 'tool_use', id, name: tool }],
      usage: { input_tokens: 900, output_tokens: 120 },
    };
    fs.appendFileSync(this.#transcript(), `${JSON.stringify({ type: 'assistant', message })}\n`);
  }

  /** The session begins and the human asks for something. */
  asked(prompt: string): Answered {
    this.#fire('SessionStart', { source: 'startup' });
    return this.#fire('UserPromptSubmit', { prompt });
  }

  #call(
    tool: string,
    input: Record<string, unknown>,
    work: () => unknown,
  ): { before: Answered; after: Answered | null } {
    this.#calls += 1;
    const id = `${this.session}-${this.#calls}`;
    const payload = { tool_name: tool, tool_input: input, tool_use_id: id };
    const before = this.#fire('PreToolUse', payload);
    this.#respond(id, tool);
    return {
      before,
      after: before.allowed ? this.#fire('PostToolUse', { ...payload, tool_response: work() ?? {} }) : null,
    };
  }

  handshake(intentId: string, reasoning: string): { before: Answered; after: Answered | null } {
    return this.#call('mcp__pactclaw__select_active_intent', { intent_id: intentId, reasoning }, () => []);
  }

  write(file: string, content: string): { before: Answered; after: Answered | null } {
    const target = path.join(this.scratch.root, file);
    return this.#call('Write', { file_path: target, content }, () => {
      fs.mkdirSync(path.dirname(target), { recursive: true });
      fs.writeFileSync(target, content);
    });
  }

  read(file: string): { before: Answered; after: Answered | null } {
    return this.#call('Read', { file_path: path.join(this.scratch.root, file) }, () => ({ type: 'text' }));
  }

  shell(command: string): { before: Answered; after: Answered | null } {
    return this.#call('Bash', { command }, () => ({
      stdout: spawnSync('sh', ['-c', command], { cwd: this.scratch.root, encoding: 'utf8' }).stdout,
      stderr: '',
    }));
  }
}
