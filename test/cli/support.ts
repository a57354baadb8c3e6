/** A workspace of its own, with the built `bin/pactclaw` run in it as a user and as an agent host run it. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** The executable under test; another build can be named. */
export const BIN = process.env.PACTCLAW_TEST_BIN ?? path.resolve(import.meta.dirname, '../../bin/pactclaw');

export interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** A scratch repository with a HOME beside it. Nothing of the caller's environment but PATH gets in. */
export class Sandbox implements Disposable {
  readonly #base = realpathSync(mkdtempSync(path.join(tmpdir(), 'pactclaw-cli-')));
  readonly root = path.join(this.#base, 'repo');
  readonly home = path.join(this.#base, 'home');
  #calls = 0;

  constructor() {
    mkdirSync(this.root);
    mkdirSync(this.home);
  }

  [Symbol.dispose](): void {
    rmSync(this.#base, { recursive: true, force: true });
  }

  file(name: string): string {
    return path.join(this.root, name);
  }

  read(name: string): string {
    return readFileSync(this.file(name), 'utf8');
  }

  write(name: string, text: string): void {
    mkdirSync(path.dirname(this.file(name)), { recursive: true });
    writeFileSync(this.file(name), text);
  }

  get env(): Record<string, string> {
    return {
      PATH: process.env.PATH ?? '/usr/bin:/bin',
      HOME: this.home,
      LANG: 'C.UTF-8',
      PACTCLAW_SERVE: 'off',
    };
  }

  /** Runs a program in the repository. */
  exec(
    program: string,
    args: readonly string[],
    more: { input?: string; env?: Record<string, string>; cwd?: string } = {},
  ): Ran {
    const ran = spawnSync(program, args, {
      cwd: more.cwd ?? this.root,
      env: { ...this.env, ...more.env },
      input: more.input ?? '',
      encoding: 'utf8',
      maxBuffer: 1 << 28,
    });
    if (ran.error) throw ran.error;
    return { code: ran.status, out: ran.stdout, err: ran.stderr };
  }

  /** Runs `pactclaw ARGS…`. */
  run(
    args: readonly string[],
    more: { input?: string; env?: Record<string, string>; cwd?: string } = {},
  ): Ran {
    return this.exec(process.execPath, [BIN, ...args], more);
  }

  /** Runs `pactclaw ARGS… --json` and reads what it printed. */
  json<T = Record<string, unknown>>(...args: string[]): T {
    const { out, err } = this.run([...args, '--json']);
    try {
      return JSON.parse(out) as T;
    } catch {
      throw new Error(`no JSON from ${args.join(' ')}: ${out}${err}`);
    }
  }

  /** A repository with an intent INT-001 that owns `src/app/**`. */
  init(): this {
    this.exec('git', ['init', '--quiet']);
    this.write('src/app/main.ts', 'export const one = 1;\n');
    const made = this.run(['init']);
    if (made.code !== 0) throw new Error(made.out + made.err);
    this.write('.orchestration/active_intents.yaml', INTENTS);
    return this;
  }

  /** Sends one event of Claude Code through `pactclaw hook`; returns its answer. */
  event(name: string, fields: Record<string, unknown> = {}, session = 'session-1'): Ran {
    const payload = { session_id: session, cwd: this.root, hook_event_name: name, ...fields };
    return this.run(['hook', 'claude-code', '--workspace', this.root], { input: JSON.stringify(payload) });
  }

  /** One tool call as a host makes it: judged, run if allowed, reported. Returns whether it was allowed. */
  call(
    tool: string,
    input: Record<string, unknown>,
    work: () => void = () => undefined,
    session = 'session-1',
  ): boolean {
    this.#calls += 1;
    const fields = { tool_name: tool, tool_input: input, tool_use_id: `call-${this.#calls}` };
    const { out } = this.event('PreToolUse', fields, session);
    if (out.includes('"permissionDecision":"deny"')) return false;
    work();
    this.event('PostToolUse', { ...fields, tool_response: { ok: true } }, session);
    return true;
  }

  /** Prompt and handshake: the session may act afterwards. */
  handshake(intent = 'INT-001', session = 'session-1'): boolean {
    this.event('UserPromptSubmit', { prompt: 'do it' }, session);
    const input = { intent_id: intent, reasoning: 'the request is about the app' };
    return this.call('mcp__pactclaw__select_active_intent', input, undefined, session);
  }

  /** An agent's Write. */
  agentWrites(name: string, text: string, session = 'session-1'): boolean {
    return this.call(
      'Write',
      { file_path: this.file(name), content: text },
      () => this.write(name, text),
      session,
    );
  }
}

export const INTENTS = `# The human's own words stay.
active_intents:
  - id: INT-001   # the first
    name: Build the app
    status: IN_PROGRESS
    owned_scope:
      - src/app/**
    constraints: [Keep it small]
    acceptance_criteria: []
    budget:
      max_turns: 40
    # a remark that belongs to INT-001

owner: me   # an unknown key
`;
