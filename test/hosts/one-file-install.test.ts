import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { applyPlans } from '../../src/hosts/shared/install/apply.ts';
import { guardedLine, withoutGuard } from '../../src/hosts/shared/install/guarded-line.ts';
import type { Machine } from '../../src/hosts/shared/install/installer.ts';
import { planInstall, planUninstall } from '../../src/hosts/shared/install/plan.ts';
import { readNotes } from '../../src/hosts/shared/install/record.ts';
import { temporaryFolder } from '../support/ledger.ts';
import { installerNamed } from './support/all-hosts.ts';

const geminiInstaller = installerNamed('gemini');
const qwenInstaller = installerNamed('qwen');

let base: string;
beforeEach(() => {
  base = temporaryFolder('one-file');
  mkdirSync(`${base}/project`);
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const HOSTS = [
  {
    installer: geminiInstaller,
    folder: '.gemini',
    tool: 'BeforeTool',
    variable: 'GEMINI_CLI_SYSTEM_SETTINGS_PATH',
  },
  {
    installer: qwenInstaller,
    folder: '.qwen',
    tool: 'PreToolUse',
    variable: 'QWEN_CODE_SYSTEM_SETTINGS_PATH',
  },
] as const;

describe.each(HOSTS)('$installer.host', ({ installer, folder, tool, variable }) => {
  const machine = (): Machine => ({
    project: `${base}/project`,
    home: `${base}/home`,
    platform: 'linux',
    env: (name) => (name === variable ? `${base}/system/settings.json` : undefined),
  });
  const wiring = () => ({ node: '/usr/bin/node', install: '/opt/pactclaw', workspace: `${base}/project` });
  const file = () => `${base}/project/${folder}/settings.json`;
  const parts = () => installer.parts(machine(), 'project', wiring());
  const put = (path: string, text: string) => {
    mkdirSync(path.slice(0, path.lastIndexOf('/')), { recursive: true });
    writeFileSync(path, text);
  };
  const install = () => applyPlans(planInstall(parts(), readNotes(`${base}/notes`)), `${base}/notes`);
  const uninstall = () => applyPlans(planUninstall(parts(), readNotes(`${base}/notes`)), `${base}/notes`);
  const settings = () => JSON.parse(readFileSync(file(), 'utf8'));

  test('writes hooks for all tools and the server, and a second time nothing', () => {
    install();
    const [group] = settings().hooks[tool];
    expect(group.matcher).toBe('*');
    expect(withoutGuard(group.hooks[0].command)).toEqual({
      line: `/opt/pactclaw/bin/pactclaw-hook /usr/bin/node ${installer.host} --workspace ${base}/project --event ${tool}`,
      guarded: true,
    });
    expect(settings().mcpServers.pactclaw).toMatchObject({ command: '/usr/bin/node', trust: true });
    const text = readFileSync(file(), 'utf8');
    install();
    expect(readFileSync(file(), 'utf8')).toBe(text);
    uninstall();
    expect(() => readFileSync(file())).toThrow();
  });

  test.each([
    ['{}', '{}'],
    [
      'foreign hooks',
      `{\n    "hooks": {"${tool}": [ {"matcher":"x", "hooks":[{"type":"command","command":"mine"}]} ]},\n\t"theme": "dark"\r\n}\n`,
    ],
    ['an empty list', `{"hooks": {"${tool}": []}, "mcpServers": {}}`],
    ['servers', '{\n  "mcpServers": {\n    "other": { "command": "x" }\n  }\n}\n'],
  ])('%s are there again to the byte', (_what, text) => {
    put(file(), text);
    install();
    expect(readFileSync(file(), 'utf8')).toContain('pactclaw-hook');
    uninstall();
    expect(readFileSync(file(), 'utf8')).toBe(text);
  });

  test('an older entry of ours is replaced, a foreign one stays', () => {
    const old = { name: 'pactclaw', type: 'command', command: `/old/pactclaw-hook node ${installer.host}` };
    const mine = { type: 'command', command: 'mine' };
    put(file(), JSON.stringify({ hooks: { [tool]: [{ matcher: '*', hooks: [mine, old] }] } }));
    install();
    expect(JSON.stringify(settings().hooks[tool])).not.toContain('/old/');
    expect(settings().hooks[tool][0].hooks).toEqual([mine]);
  });

  test('switched off by the administrator, nothing would be governed', () => {
    const off = installer.host === 'gemini' ? { hooksConfig: { enabled: false } } : { disableAllHooks: true };
    put(`${base}/system/settings.json`, JSON.stringify(off));
    expect(() => installer.assertInstallable?.(machine(), 'project')).toThrow('switched off');
  });

  test('a server that is kept from starting is warned of', async () => {
    put(`${base}/home/${folder}/settings.json`, '{"mcp":{"excluded":["pactclaw"]}}');
    expect((await installer.warnings?.(machine(), 'project'))?.join()).toContain(
      'no handshake will be possible',
    );
  });

  test.each([
    [{ security: { folderTrust: { enabled: true } } }, {}, true],
    [{ security: { folderTrust: { enabled: true } } }, { PROJECT: 'TRUST_FOLDER' }, false],
    [{ security: { folderTrust: { enabled: true } } }, { BASE: 'TRUST_FOLDER' }, false],
    [
      { security: { folderTrust: { enabled: true } } },
      { BASE: 'TRUST_FOLDER', PROJECT: 'DO_NOT_TRUST' },
      true,
    ],
    [{ security: { folderTrust: { enabled: true } } }, { CHILD: 'TRUST_PARENT' }, false],
    [{ security: { folderTrust: { enabled: true } } }, { OTHER: 'TRUST_FOLDER' }, true],
    [{ security: { folderTrust: { enabled: false } } }, {}, false],
    [{}, {}, installer.host === 'gemini'],
  ])('%j, trusted %j: warned of %s', async (own, rules, warned) => {
    const names: Record<string, string> = {
      PROJECT: `${base}/project`,
      BASE: base,
      CHILD: `${base}/project/child`,
      OTHER: `${base}/pro`,
    };
    put(`${base}/home/${folder}/settings.json`, JSON.stringify(own));
    const trusted = Object.fromEntries(Object.entries(rules).map(([key, value]) => [names[key], value]));
    put(`${base}/home/${folder}/trustedFolders.json`, JSON.stringify(trusted));
    // A project cannot trust itself.
    put(file(), '{"security":{"folderTrust":{"enabled":false}}}');
    const warnings = (await installer.warnings?.(machine(), 'project'))?.join() ?? '';
    expect(warnings.includes('does not trust')).toBe(warned);
  });
});

describe('gemini', () => {
  test('ours by name in the list of disabled hooks', () => {
    const home = `${base}/home`;
    mkdirSync(`${home}/.gemini`, { recursive: true });
    writeFileSync(`${home}/.gemini/settings.json`, '{"hooksConfig":{"disabled":["pactclaw"]}}');
    const machine = { project: null, home, platform: 'linux', env: () => undefined };
    expect(() => geminiInstaller.assertInstallable?.(machine, 'user')).toThrow('switched off');
  });
});

describe('qwen', () => {
  const machine = (): Machine => ({
    project: `${base}/project`,
    home: `${base}/home`,
    platform: 'linux',
    env: () => undefined,
  });
  const file = () => `${base}/project/.qwen/settings.json`;
  const parts = () =>
    qwenInstaller.parts(machine(), 'project', {
      node: '/usr/bin/node',
      install: '/opt/pactclaw',
      workspace: `${base}/project`,
    });
  const install = () => applyPlans(planInstall(parts(), readNotes(`${base}/notes`)), `${base}/notes`);
  const uninstall = () => applyPlans(planUninstall(parts(), readNotes(`${base}/notes`)), `${base}/notes`);
  /** What the client does to a file without its mark. */
  const clientStarts = () => {
    const { $version = 4, ...rest } = JSON.parse(readFileSync(file(), 'utf8'));
    const text = `${JSON.stringify({ ...rest, $version }, null, 2)}\n`;
    if (!readFileSync(file(), 'utf8').includes('$version')) writeFileSync(file(), text);
  };

  test('a file of ours has the client’s own mark, so that it stays as it was installed', () => {
    install();
    const text = readFileSync(file(), 'utf8');
    clientStarts();
    install();
    expect(readFileSync(file(), 'utf8')).toBe(text);
    expect(JSON.parse(text).$version).toBe(4);
    uninstall();
    expect(() => readFileSync(file())).toThrow();
  });

  test.each([
    ['without the mark', '{\n  "theme": "dark"\n}\n'],
    ['with it', '{\n  "theme": "dark",\n  "$version": 3\n}\n'],
  ])('a human’s file %s is there again to the byte', (_what, text) => {
    mkdirSync(`${base}/project/.qwen`, { recursive: true });
    writeFileSync(file(), text);
    install();
    clientStarts();
    install();
    uninstall();
    expect(readFileSync(file(), 'utf8')).toBe(text);
  });

  test('its execution sandbox switches hooks off without a word', () => {
    const home = `${base}/home`;
    mkdirSync(`${home}/.qwen`, { recursive: true });
    writeFileSync(
      `${home}/.qwen/settings.json`,
      '{"tools":{"executionSandbox":{"filesystem":"read-only","network":"closed"}}}',
    );
    const machine = { project: null, home, platform: 'linux', env: () => undefined };
    expect(() => qwenInstaller.assertInstallable?.(machine, 'user')).toThrow('tools.executionSandbox');
  });
});

describe('the command line as the shell between host and launcher runs it', () => {
  const launcher = (body: string) => {
    const path = `${base}/a launcher's name`;
    writeFileSync(path, `#!/bin/sh\n${body}\n`);
    chmodSync(path, 0o755);
    return spawnSync('bash', ['-c', guardedLine([path, 'x'])], { encoding: 'utf8' });
  };

  test('an answer passes as it is', () => {
    expect(launcher(`echo '{}'`)).toMatchObject({ status: 0, stdout: '{}\n', stderr: '' });
  });

  test('a refusal too', () => {
    expect(launcher('echo "{}"; echo why >&2; exit 2')).toMatchObject({
      status: 2,
      stdout: '{}\n',
      stderr: 'why\n',
    });
  });

  test.each([
    ['is killed', 'kill -9 $$'],
    ['fails', 'exit 1'],
    ['prints what is no answer', "echo 'no such {{{'"],
    ['says nothing', 'true'],
    ['runs into a program that is gone', 'exec /nonexistent/program'],
  ])('a launcher that %s is a refusal', (_what, body) => {
    const { status, stderr, stdout } = launcher(body);
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toContain('Fail-Safe Default');
  });

  test('a launcher that is gone is a refusal', () => {
    const run = spawnSync('bash', ['-c', guardedLine([`${base}/none`])], { encoding: 'utf8' });
    expect(run.status).toBe(2);
    expect(run.stderr).toContain('Fail-Safe Default');
  });

  test('a plain shell reads it alike', () => {
    expect(() => execFileSync('/bin/sh', ['-n', '-c', guardedLine(['/a b', "it's"])])).not.toThrow();
  });
});
