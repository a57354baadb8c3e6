import fs from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { buildPactClaw, Machine } from './install-support.ts';

const SETTINGS = ['project', '.claude', 'settings.json'];
const LOCAL = ['project', '.claude', 'settings.local.json'];
const SERVERS = ['project', '.mcp.json'];
const USER = ['home', '.claude', 'settings.json'];
const STATE = ['home', '.claude.json'];

let pactclaw: string;
let machine: Machine;

beforeAll(() => {
  pactclaw = buildPactClaw();
});
afterAll(() => fs.rmSync(pactclaw, { recursive: true, force: true }));
beforeEach(() => {
  machine = new Machine(pactclaw);
  machine.addClient('2.1.329');
});
afterEach(() => machine.remove());

/** Into the files that are shared, unless a flag says otherwise: those show most. */
function install(...flags: string[]) {
  const place = flags.some((flag) => /^--(?:user|local)$/.test(flag)) ? [] : ['--shared'];
  return machine.run('install', 'claude-code', ...place, ...flags);
}

function uninstall(...flags: string[]) {
  return machine.run('uninstall', 'claude-code', ...flags);
}

/** The suites of `--project slow` go through the faults that verify finds. */
test('what install writes is verified; an event taken out is found', () => {
  install();
  expect(machine.run('verify', 'claude-code')).toMatchObject({ code: 0, stderr: '' });
  machine.alter((text) => text.replace('"PreToolUse": [', '"Nothing": ['), ...SETTINGS);
  expect(machine.run('verify', 'claude-code')).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('PreToolUse is registered'),
  });
});

describe('install', () => {
  test('writes every event and the server of the project', () => {
    expect(install('--local')).toMatchObject({ code: 0, stderr: '' });
    const settings = JSON.parse(machine.read(...LOCAL)!);
    const handler = (event: string, onFailure: object) => ({
      type: 'command',
      command: expect.stringMatching(
        new RegExp(
          `${'onFailure' in onFailure ? '^/bin/sh -c .*' : '^'}${pactclaw}/bin/pactclaw-hook ${process.execPath} claude-code --workspace ${machine.project} --event ${event}$`,
        ),
      ),
      timeout: 30,
      ...onFailure,
    });
    const block = { onFailure: 'block' };
    expect(settings).toEqual({
      hooks: {
        PreToolUse: [{ matcher: '*', hooks: [handler('PreToolUse', block)] }],
        PostToolUse: [{ matcher: '*', hooks: [handler('PostToolUse', block)] }],
        PostToolUseFailure: [{ matcher: '*', hooks: [handler('PostToolUseFailure', block)] }],
        SessionStart: [{ hooks: [handler('SessionStart', {})] }],
        UserPromptSubmit: [{ hooks: [handler('UserPromptSubmit', block)] }],
        PreCompact: [{ hooks: [handler('PreCompact', {})] }],
        Stop: [{ hooks: [handler('Stop', {})] }],
        SessionEnd: [{ hooks: [handler('SessionEnd', {})] }],
      },
      env: { CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: '1' },
      disableAllHooks: false,
    });
    expect(JSON.parse(machine.read(...STATE)!).projects[machine.project].mcpServers).toEqual({
      pactclaw: {
        command: process.execPath,
        args: [`${pactclaw}/bin/pactclaw`, 'mcp', 'serve', '--workspace', machine.project],
        alwaysLoad: true,
      },
    });
  });

  test('--shared names no path of this machine', () => {
    expect(install().code).toBe(0);
    const settings = JSON.parse(machine.read(...SETTINGS)!);
    expect(settings).toMatchObject({ enabledMcpjsonServers: ['pactclaw'] });
    const written = `${machine.read(...SETTINGS)}${machine.read(...SERVERS)}`;
    for (const place of [machine.root, pactclaw, process.execPath]) expect(written).not.toContain(place);
  });

  test('a second run changes no byte, and says so', () => {
    install();
    const [settings, servers] = [machine.read(...SETTINGS), machine.read(...SERVERS)];
    const again = install('--json');
    expect(JSON.parse(again.stdout).files.map((file: { action: string }) => file.action)).toEqual([
      'none',
      'none',
    ]);
    expect([machine.read(...SETTINGS), machine.read(...SERVERS)]).toEqual([settings, servers]);
  });

  test('--print writes nothing', () => {
    expect(install('--print')).toMatchObject({ code: 0, stdout: expect.stringContaining('pactclaw-hook') });
    expect(fs.existsSync(machine.file('project', '.claude'))).toBe(false);
    expect(machine.read(...SERVERS)).toBeNull();
  });

  test('--local touches no shared file', () => {
    expect(install('--local').code).toBe(0);
    expect(machine.read(...LOCAL)).toContain('pactclaw-hook');
    expect(machine.read(...SETTINGS)).toBeNull();
    expect(machine.read(...SERVERS)).toBeNull();
    expect(JSON.parse(machine.read(...STATE)!).projects[machine.project].mcpServers).toHaveProperty(
      'pactclaw',
    );
  });

  test('--user names no workspace', () => {
    expect(install('--user').code).toBe(0);
    expect(machine.read(...USER)).not.toContain('--workspace');
    expect(JSON.parse(machine.read(...STATE)!).mcpServers.pactclaw.args).toEqual([
      `${pactclaw}/bin/pactclaw`,
      'mcp',
      'serve',
    ]);
  });

  test.each([
    [
      'hooks that are switched off',
      LOCAL,
      '{"disableAllHooks": true}',
      'disableAllHooks',
      'settings.local.json',
    ],
    ['broken JSON', SETTINGS, '{\n  "model": "x",\n  oops\n}', 'not JSON', 'settings.json:3'],
    [
      'a comment, with which the host ignores the file',
      SETTINGS,
      '{\n  // mine\n}',
      'comment',
      'settings.json:2',
    ],
    [
      'a server of the same name',
      SERVERS,
      '{"mcpServers":{"pactclaw":{"command":"x"}}}',
      'named pactclaw',
      '.mcp.json',
    ],
    ['hooks that are no object', SETTINGS, '{"hooks": []}', 'hooks is no object', 'settings.json:1'],
  ])('%s: refused, and nothing is touched', (_what, place, text, message, where) => {
    machine.write(text, ...place);
    const run = install();
    expect(run.code).toBe(1);
    expect(run.stderr).toContain(message);
    expect(run.stderr).toContain(where);
    expect(machine.read(...place)).toBe(text);
    for (const other of [SETTINGS, SERVERS]) if (other !== place) expect(machine.read(...other)).toBeNull();
  });

  test('local false overrules disableAllHooks of the project, as the host has it', () => {
    machine.write('{"disableAllHooks": true}', ...SETTINGS);
    machine.write('{"disableAllHooks": false}', ...LOCAL);
    expect(install().code).toBe(0);
  });

  test('two installations that would count every call twice are refused', () => {
    install('--user');
    const second = install();
    expect(second).toMatchObject({ code: 1, stderr: expect.stringContaining('counted twice') });
    expect(machine.read(...SETTINGS)).toBeNull();
  });

  test('an old client is warned of loudly, a folder that is no workspace refused', () => {
    machine.addClient('2.1.294');
    expect(install().stderr).toContain('DANGER');
    fs.renameSync(machine.file('project', '.orchestration'), machine.file('aside'));
    expect(install('--workspace', machine.project)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('pactclaw init'),
    });
  });

  test("an agent's shell may do neither", () => {
    install();
    for (const command of ['install', 'uninstall'])
      expect(machine.runWith({ CLAUDECODE: '1' }, command, 'claude-code')).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('for humans only'),
      });
    expect(machine.read(...SETTINGS)).toContain('pactclaw-hook');
  });

  test('settings behind a link stay behind it', () => {
    machine.write('{\n  "model": "opus"\n}\n', 'dotfiles', 'claude.json');
    fs.mkdirSync(machine.file('home', '.claude'));
    fs.symlinkSync(machine.file('dotfiles', 'claude.json'), machine.file(...USER));
    install('--user');
    expect(fs.lstatSync(machine.file(...USER)).isSymbolicLink()).toBe(true);
    expect(machine.read('dotfiles', 'claude.json')).toContain('pactclaw-hook');
  });
});

describe('uninstall', () => {
  test.each([[[]], [['--local']], [['--user']]])('after install %j everything is as before', (flags) => {
    const state = '{\n  "oauthAccount": {"x": 1},\n  "projects": {}\n}\n';
    machine.write(
      '{\n    "model": "opus",\n    "hooks": {"Stop": []},\n    "enabledMcpjsonServers": []\n}',
      ...SETTINGS,
    );
    machine.write(state, ...STATE);
    fs.chmodSync(machine.file(...STATE), 0o600);
    const snapshot = () => [SETTINGS, LOCAL, SERVERS, USER, STATE].map((place) => machine.read(...place));
    const before = snapshot();
    expect(install(...flags).code).toBe(0);
    expect(snapshot()).not.toEqual(before);
    expect(uninstall().code).toBe(0);
    expect(snapshot()).toEqual(before);
    expect(fs.statSync(machine.file(...STATE)).mode & 0o777).toBe(0o600);
    expect(machine.read('home', '.pactclaw', 'installed.json')).toBeNull();
  });

  test('files and folders that install made are gone again', () => {
    install();
    uninstall();
    expect(fs.existsSync(machine.file('project', '.claude'))).toBe(false);
    expect(machine.read(...SERVERS)).toBeNull();
    expect(uninstall()).toMatchObject({ code: 0, stdout: expect.stringContaining('Nothing of PactClaw') });
  });

  test('a scope that is named is the only one cleaned, and work done since stays', () => {
    install();
    machine.alter((text) => text.replace('{\n', '{\n  "model": "opus",\n'), ...SETTINGS);
    expect(uninstall('--user').code).toBe(0);
    expect(machine.read(...SETTINGS)).toContain('pactclaw-hook');
    uninstall('--project');
    expect(machine.read(...SETTINGS)).toBe('{\n  "model": "opus"\n}\n');
  });

  test('a project whose governance state is gone can still be freed', () => {
    install();
    fs.rmSync(machine.file('project', '.orchestration'), { recursive: true });
    expect(uninstall().code).toBe(0);
    expect(machine.read(...SETTINGS)).toBeNull();
  });
});
