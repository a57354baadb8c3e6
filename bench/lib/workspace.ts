import fs from 'node:fs';
import path from 'node:path';
import { createEngine } from '../../src/hooks/engine.ts';
import { type Workspace, workspaceAt } from '../../src/hooks/workspace.ts';
import type { HookReply } from '../../src/hosts/adapter.ts';
import { claudeCode } from '../../src/hosts/claude-code/adapter.ts';
import { decodeInput } from '../../src/hosts/claude-code/decode.ts';
import { initWorkspace } from '../../src/orchestration/init.ts';
import { Agent } from './payloads.ts';

const PARTS = 20;
const INTENTS = 20;

/** Globs of an intent that owns twenty folders. */
export function twentyGlobs(): string[] {
  return Array.from({ length: PARTS }, (_, at) => `src/app/part${String(at + 1).padStart(2, '0')}/*.ts`);
}

/** More calls than an agent makes: each counts as a turn where no transcript tells of the responses. */
const BUDGET = '    budget: { max_turns: 1000000000, max_tokens: 1000000000 }\n';

/** A registry of twenty intents; the first owns {@link twentyGlobs}, each other one file. */
function registry(): string {
  const intents = Array.from({ length: INTENTS }, (_, at) => {
    const id = `INT-${String(at + 1).padStart(3, '0')}`;
    const globs = at === 0 ? twentyGlobs() : [`src/other/file${at}.ts`];
    const scope = globs.map((glob) => `      - "${glob}"\n`).join('');
    return `  - id: ${id}\n    name: Work of ${id}\n    status: IN_PROGRESS\n${BUDGET}    owned_scope:\n${scope}    constraints:\n      - Keep the public API\n    acceptance_criteria:\n      - Tests pass\n`;
  });
  return `active_intents:\n${intents.join('')}`;
}

/** A fresh workspace at `folder` as `pactclaw init` leaves it, with a human's twenty intents. */
export function makeWorkspace(folder: string, install: string): Workspace {
  fs.mkdirSync(path.join(folder, 'src/other'), { recursive: true });
  for (const glob of twentyGlobs().slice(0, 10)) {
    const file = path.join(folder, glob.replace('*', 'a'));
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, 'export const a = 1;\n');
  }
  const workspace = workspaceAt(folder, install);
  initWorkspace(workspace.layout, {
    userFolder: `${workspace.ground.home}/.pactclaw`,
    files: ['src/app/part01/a.ts'],
  });
  fs.writeFileSync(workspace.layout.intents, registry());
  return workspace;
}

/** One event in this process: decoded, gathered, decided, committed and encoded. */
export function judge(workspace: Workspace, payload: object): Promise<HookReply> {
  return claudeCode.handle(decodeInput(Buffer.from(JSON.stringify(payload))), createEngine(workspace));
}

/** Throws unless the reply is an allow or an outcome without an alarm. */
export function expectAllowed(reply: unknown): void {
  const { code, stdout, stderr } = reply as HookReply;
  if (code !== 0) throw new Error(`refused: ${stdout} ${stderr}`);
}

/** Throws unless the reply is a refusal that says `text`. */
export function expectRefused(text: string): (reply: unknown) => void {
  return (reply) => {
    const { code, stdout } = reply as HookReply;
    if (code !== 2 || !stdout.includes(text)) throw new Error(`not refused with "${text}": ${stdout}`);
  };
}

/** An agent whose handshake is done: its session may act for the intent. */
export async function actingAgent(workspace: Workspace, session: string, intent = 'INT-001'): Promise<Agent> {
  const agent = new Agent(workspace.ground.root, session);
  for (const phase of ['PreToolUse', 'PostToolUse'] as const)
    expectAllowed(await judge(workspace, agent.select(phase, `${session}-handshake`, intent)));
  return agent;
}
