/** A host that runs the hooks of Claude Code's settings, with or without their arguments: the launcher lets no call by. */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { PACKAGE } from '../e2e/support/governed.ts';
import { temporaryFolder } from '../support/ledger.ts';

const LAUNCHER = path.join(PACKAGE, 'bin/pactclaw-hook');
let folder: string;
beforeEach(() => {
  folder = temporaryFolder('taken over');
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

const LINE = [process.execPath, 'claude-code', '--workspace', '/nonexistent', '--event', 'PreToolUse'];

function fire(env: Record<string, string>, event = 'PreToolUse', args: readonly string[] = []) {
  const input = JSON.stringify({
    hook_event_name: event,
    session_id: 's',
    tool_name: 'Bash',
    tool_input: {},
  });
  const all = { PATH: '/usr/bin:/bin', HOME: `${folder}/home`, PACTCLAW_SERVE: 'off', ...env };
  const { status, stdout, stderr } = spawnSync(LAUNCHER, args, {
    env: all,
    input,
    encoding: 'utf8',
    cwd: folder,
  });
  return { status, answer: JSON.parse(stdout || '{}') as Record<string, unknown>, stderr };
}

function put(file: string, text = '"/opt/pactclaw/bin/pactclaw-hook"'): void {
  fs.mkdirSync(path.dirname(`${folder}/${file}`), { recursive: true });
  fs.writeFileSync(`${folder}/${file}`, text);
}

const COPILOT = () => ({ COPILOT_CLI: '1', COPILOT_PROJECT_DIR: `${folder}/project` });
const CURSOR = () => ({ CURSOR_VERSION: '3', CURSOR_PROJECT_DIR: `${folder}/project` });

it.each([
  ['Copilot CLI', COPILOT],
  ['Cursor', CURSOR],
  ['a host that nobody knows', () => ({})],
])('%s without a registration of its own is refused', (_name, env) => {
  put('project/.github/hooks/other.json');
  const { status, answer, stderr } = fire(env());
  expect(status).toBe(2);
  expect(answer).toMatchObject({ permissionDecision: 'deny', permission: 'deny' });
  expect(stderr).toContain('pactclaw install');
});

it.each([
  ['Copilot CLI, project', COPILOT, 'project/.github/hooks/pactclaw.json'],
  ['Copilot CLI, user', COPILOT, 'home/.copilot/hooks/pactclaw.json'],
  ['Cursor, project', CURSOR, 'project/.cursor/hooks.json'],
  ['Cursor, user', CURSOR, 'home/.cursor/hooks.json'],
])('%s: its own registration judges', (_name, env, file) => {
  put(file);
  expect(fire(env())).toEqual({ status: 0, answer: {}, stderr: '' });
  put(file, '{"version":1,"hooks":{}}');
  expect(fire(env()).status).toBe(2);
});

it('the registration of one host is none of another', () => {
  put('project/.github/hooks/pactclaw.json');
  expect(fire(CURSOR()).status).toBe(2);
  expect(fire({}).status).toBe(2);
});

it.each(['Stop', 'SessionStart', 'SessionEnd', 'PreCompact', 'stop', 'preCompact'])(
  '%s decides nothing: a failed exit',
  (event) => {
    expect(fire(COPILOT(), event).status).toBe(1);
  },
);

it('U-15: a line with its arguments is judged by the host that runs it, unless that is Claude Code itself', () => {
  put('project/.github/hooks/pactclaw.json');
  expect(fire(COPILOT(), 'PreToolUse', LINE)).toEqual({ status: 0, answer: {}, stderr: '' });
  expect(fire(CURSOR(), 'PreToolUse', LINE).stderr).toContain('runs the hooks of another host');
  const own = fire({ ...COPILOT(), CLAUDECODE: '1' }, 'PreToolUse', LINE);
  expect(own).toMatchObject({ status: 2, stderr: expect.stringContaining('cwd is missing') });
});
