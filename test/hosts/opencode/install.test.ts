import fs from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { opencodeInstaller as installer } from '../../../src/hosts/opencode/installer.ts';
import { opencodeVerifier as verifier } from '../../../src/hosts/opencode/verifier.ts';
import { ScratchMachine } from '../support/installed.ts';

let at: ScratchMachine;
beforeEach(() => {
  at = new ScratchMachine();
});
afterEach(() => fs.rmSync(at.root, { recursive: true, force: true }));

const entry = (workspace: string | null) => [
  '/opt/pactclaw/dist/opencode-plugin.mjs',
  { launcher: '/opt/pactclaw/bin/pactclaw-hook', node: '/usr/bin/node', workspace, timeoutMs: 25_000 },
];

test('a project gets one file with the plugin and the seal, and is freed of it', () => {
  const before = at.tree();
  at.install(installer, 'project');
  expect(at.json('project/opencode.json')).toEqual({
    $schema: 'https://opencode.ai/config.json',
    plugin: [entry(at.project)],
    permission: { '**': 'deny' },
  });
  const installed = at.tree();
  at.install(installer, 'project');
  expect(at.tree()).toEqual(installed);
  at.uninstall(installer);
  expect(at.tree()).toEqual(before);
});

test.each([
  '{}\n',
  '{"$schema":"https://opencode.ai/config.json"}',
  '{\n\t"plugin": ["other"],\n\t"permission": {"bash": "ask"}\n}\n',
  '{"permission":{},"plugin":[]}',
])('%j is given back to the byte', (text) => {
  at.put('project/opencode.json', text);
  at.install(installer, 'project');
  expect(at.json('project/opencode.json')).toMatchObject({ permission: { '**': 'deny' } });
  at.uninstall(installer);
  expect(fs.readFileSync(`${at.project}/opencode.json`, 'utf8')).toBe(text);
});

test('the seal stands after what a human permits', () => {
  at.put('project/opencode.json', '{"permission":{"*":"allow","bash":"allow"}}');
  at.install(installer, 'project');
  const { permission } = at.json('project/opencode.json');
  expect(Object.keys(permission as object)).toEqual(['*', 'bash', '**']);
});

describe('where it goes', () => {
  test('beside settings with comments, or that come later, into .opencode', () => {
    at.put('project/opencode.json', '{ // mine\n}');
    at.install(installer, 'project');
    expect(at.json('project/.opencode/opencode.json')).toMatchObject({ plugin: [entry(at.project)] });
    at.uninstall(installer);
    expect(fs.existsSync(`${at.project}/.opencode`)).toBe(false);
    fs.rmSync(`${at.project}/opencode.json`);
    at.put('project/opencode.jsonc', '{}');
    at.install(installer, 'project');
    expect(fs.existsSync(`${at.project}/.opencode/opencode.json`)).toBe(true);
  });

  test('for a user, into the user’s own settings', () => {
    at.install(installer, 'user');
    expect(at.json('home/.config/opencode/opencode.json')).toMatchObject({ plugin: [entry(null)] });
    expect(installer.parts(at.machine({ OPENCODE_CONFIG_DIR: '/c' }), 'user', at.wiring)[0]?.file).toBe(
      '/c/opencode.json',
    );
    expect(installer.parts(at.machine({ XDG_CONFIG_HOME: '/x' }), 'user', at.wiring)[0]?.file).toBe(
      '/x/opencode/opencode.json',
    );
  });
});

describe('it is refused', () => {
  test('where permission is one word', () => {
    at.put('project/opencode.json', '{"permission":"ask"}');
    expect(() => at.install(installer, 'project')).toThrow('permission is one word here');
  });

  test('to take it out of a file that got comments since, without a word', () => {
    at.install(installer, 'project');
    const text = fs.readFileSync(`${at.project}/opencode.json`, 'utf8');
    at.put('project/opencode.json', text.replace('{', '{ // mine'));
    expect(() => at.uninstall(installer)).toThrow('comment');
  });
});

const warnings = async () => (await installer.warnings?.(at.machine(), 'project')) ?? [];

test('what would run where the plugin does not load is told', async () => {
  at.install(installer, 'project');
  expect(await warnings()).toEqual([]);
  at.put('project/.opencode/opencode.json', '{"permission":{"bash":"allow"}}');
  at.put('project/.opencode/opencode.jsonc', '{ // mine\n}');
  expect(await warnings()).toEqual([
    expect.stringContaining('.opencode/opencode.json sets permissions after the seal'),
    expect.stringContaining('.opencode/opencode.jsonc cannot be read'),
  ]);
  fs.rmSync(`${at.project}/.opencode`, { recursive: true });
  at.uninstall(installer);
  at.put('project/opencode.json', '{"agent":{"build":{"permission":{"bash":"allow"}},"plan":{}}}');
  at.install(installer, 'project');
  expect(await warnings()).toEqual([expect.stringContaining('gives the agent build permissions of its own')]);
});

describe('verify', () => {
  const wiring = async () => {
    const machine = at.machine();
    const registered = verifier.registered(machine);
    const checks = await verifier.wiring({
      machine,
      registered,
      client: null,
      asked: undefined,
      cwd: at.project,
    });
    return {
      registered,
      failed: checks.filter(({ status }) => status === 'failed').map(({ title }) => title),
    };
  };

  test('finds every event behind the one plugin', async () => {
    at.install(installer, 'project');
    const { registered } = await wiring();
    expect(registered.map(({ event }) => event)).toEqual([
      'chat.message',
      'tool.execute.before',
      'tool.execute.after',
      'event',
      'experimental.session.compacting',
    ]);
    expect(registered[0]?.start('/sandbox')).toEqual({
      file: '/opt/pactclaw/bin/pactclaw-hook',
      args: ['/usr/bin/node', 'opencode', '--workspace', '/sandbox'],
    });
  });

  test('misses the seal, the program and the registration', async () => {
    at.install(installer, 'project');
    const text = fs.readFileSync(`${at.project}/opencode.json`, 'utf8');
    at.put('project/opencode.json', text.replace('"deny"', '"allow"'));
    const { failed } = await wiring();
    expect(failed).toContain('without the plugin every tool is denied');
    // The wiring names a PactClaw that is not there.
    expect(failed).toContain('tool.execute.before is registered');
    at.put('project/opencode.json', '{}');
    expect((await wiring()).failed).toContain('without the plugin every tool is denied');
  });
});
