import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { ModelScript, Script } from '../../../fixtures/model/scripted-model.ts';
import { type ClaudeJson, claudeJson } from './clients/claude-code.ts';
import { prepareHome } from './clients/client.ts';
import type { ClientName } from './clients/pins.ts';
import { CLIENTS, type ClientResult, runClient } from './run-client.ts';

/** Folder whose `bin` and `dist` are tested; the wiring tests point it at a build without one of the hooks. */
export const PACKAGE = process.env.PACTCLAW_TEST_PACKAGE ?? path.resolve(import.meta.dirname, '../../..');

export const SELECT = 'mcp__pactclaw__select_active_intent';

/** The human's file: comments, odd spacing and unknown keys that must survive whatever the engine does. */
export const INTENTS = `# Agreed on Monday. Keep this comment.
active_intents:
  - id: INT-001   # components
    name: "Tidy the components"
    status: IN_PROGRESS   # human word
    owned_scope: ["src/components/**"]
    constraints:
      - Components stay free of network access
    acceptance_criteria: []
    x-team:   {chat: "#ui",  since: 2024}
  - id: INT-002
    name: Tidy the shared components
    status: PENDING
    owned_scope: ["src/shared/*.ts", "src/components/shared.ts"]
    constraints: []
    acceptance_criteria: []
`;

/** A project as a user has it: a git repository with some files, initialised and installed by the real commands. */
export class GovernedProject {
  readonly folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'pactclaw-e2e-')));
  readonly root = path.join(this.folder, 'project');
  readonly home = path.join(this.folder, 'home');

  readonly host: ClientName;
  readonly #package: string;
  /** Files that `install` wrote, for the host to read. */
  readonly installed: readonly string[];

  /** `host`: whose client runs here; `program`: the folder of the PactClaw that is installed for it. */
  constructor({ intents = INTENTS, host = 'claude-code' as ClientName, program = PACKAGE } = {}) {
    this.host = host;
    this.#package = program;
    this.put('src/components/button.ts', 'export const button = 1;\n');
    this.put('src/secret.ts', "export const secret = 'untouched';\n");
    this.put('.orchestration/active_intents.yaml', intents);
    for (const args of [
      ['init', '-q'],
      ['add', '-A'],
      ['-c', 'user.name=t', '-c', 'user.email=t@example.invalid', 'commit', '-qm', 'start'],
    ])
      spawnSync('git', args, { cwd: this.root });
    prepareHome(CLIENTS[host], this.home, this.root);
    this.#done('init');
    const { files } = JSON.parse(this.#done('install', host, '--json')) as { files: { file: string }[] };
    this.installed = files.map(({ file }) => file);
  }

  /** Runs a command that must succeed; gives its output. */
  #done(...args: string[]): string {
    const { code, stdout, stderr } = this.cli(...args);
    if (code !== 0) throw new Error(`pactclaw ${args.join(' ')} ended with ${code}: ${stderr}`);
    return stdout;
  }

  put(file: string, text: string): void {
    const target = path.join(this.root, file);
    fs.mkdirSync(path.dirname(target), { recursive: true });
    fs.writeFileSync(target, text);
  }

  text(file: string): string {
    return fs.readFileSync(path.join(this.root, file), 'utf8');
  }

  has(file: string): boolean {
    return fs.existsSync(path.join(this.root, file));
  }

  path(file: string): string {
    return path.join(this.root, file);
  }

  sha256(file: string): string {
    return createHash('sha256')
      .update(fs.readFileSync(this.path(file)))
      .digest('hex');
  }

  /** Lines of a log, parsed. */
  log(name: 'agent_trace.jsonl' | 'tool_receipts.log'): Record<string, unknown>[] {
    return this.text(`.orchestration/${name}`)
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  }

  violations(): { kind: string; hook: string; target?: string; message: string }[] {
    return this.log('tool_receipts.log').flatMap(({ violation }) =>
      violation ? [violation as { kind: string; hook: string; message: string }] : [],
    );
  }

  /** Runs `pactclaw` as the human in this project. */
  cli(...args: string[]): { code: number; stdout: string; stderr: string } {
    const env = { PATH: process.env.PATH ?? '', HOME: this.home, NO_COLOR: '1', PACTCLAW_SERVE: 'off' };
    const run = spawnSync(process.execPath, [path.join(this.#package, 'bin/pactclaw'), ...args], {
      cwd: this.root,
      env,
      encoding: 'utf8',
    });
    return { code: run.status ?? -1, stdout: run.stdout, stderr: run.stderr };
  }

  json<T = Record<string, unknown>>(...args: string[]): T {
    const { stdout, stderr } = this.cli(...args, '--json');
    if (stdout === '') throw new Error(`pactclaw ${args.join(' ')} said nothing: ${stderr}`);
    return JSON.parse(stdout) as T;
  }

  /** What git sees changed, but for the workspace's own state; a line a file. */
  gitStatus(): string[] {
    const args = ['status', '--porcelain', '--untracked-files=all'];
    const { stdout } = spawnSync('git', args, { cwd: this.root, encoding: 'utf8' });
    return stdout.split('\n').filter((line) => line !== '' && !line.includes('.orchestration/'));
  }

  /** Files of a commit. */
  committed(revision: string): string[] {
    const args = ['ls-tree', '-r', '--name-only', revision];
    return spawnSync('git', args, { cwd: this.root, encoding: 'utf8' }).stdout.split('\n');
  }

  /** The text of every file that `install` wrote; null where it is gone. */
  settings(): Record<string, string | null> {
    const read = (file: string) => (fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : null);
    return Object.fromEntries(this.installed.map((file) => [file, read(file)]));
  }

  /** A human's edit of the registry. */
  edit(from: string | RegExp, to: string): void {
    const before = this.text('.orchestration/active_intents.yaml');
    const after = before.replace(from, to);
    if (after === before) throw new Error(`the edit ${String(from)} changes nothing in:\n${before}`);
    this.put('.orchestration/active_intents.yaml', after);
  }

  /** Runs the real client. */
  run(
    model: Script | ModelScript,
    more: Partial<Parameters<typeof runClient>[1]> = {},
  ): Promise<ClientResult> {
    return runClient(this.host, {
      cwd: this.root,
      home: this.home,
      prompt: 'Do the task.',
      model,
      ...more,
    });
  }

  /** Runs Claude Code; `json` is its result object. */
  async claude(
    model: Script | ModelScript,
    more: Parameters<GovernedProject['run']>[1] = {},
  ): Promise<ClientResult & { json: ClaudeJson | undefined }> {
    const run = await this.run(model, more);
    return { ...run, json: claudeJson(run.stdout) };
  }

  /** Files of the project and of the home folder that hold a text. */
  filesHolding(text: string): string[] {
    return fs
      .readdirSync(this.folder, { recursive: true, encoding: 'utf8' })
      .map((name) => path.join(this.folder, name))
      .filter((file) => fs.statSync(file, { throwIfNoEntry: false })?.isFile())
      .filter((file) => fs.readFileSync(file).includes(text));
  }

  remove(): void {
    fs.rmSync(this.folder, { recursive: true, force: true });
  }
}

/** A handshake step of a script. */
export function select(
  intent = 'INT-001',
  reasoning = 'The request is about this.',
): { calls: { name: string; input: Record<string, unknown> }[] } {
  return { calls: [{ name: SELECT, input: { intent_id: intent, reasoning } }] };
}

export function write(
  file: string,
  content: string,
): { calls: { name: string; input: Record<string, unknown> }[] } {
  return { calls: [{ name: 'Write', input: { file_path: file, content } }] };
}

export function bash(command: string): { calls: { name: string; input: Record<string, unknown> }[] } {
  return { calls: [{ name: 'Bash', input: { command, description: 'work' } }] };
}
