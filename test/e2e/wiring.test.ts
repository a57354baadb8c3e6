/** The wiring of a real Claude Code holds against what agents, scripts and ordinary git do to it. */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { bash, GovernedProject, PACKAGE, select, write } from './support/governed.ts';

let project: GovernedProject;
beforeEach(() => {
  project = new GovernedProject();
});
afterEach(() => project.remove());

test('F-1: a command that outlives its timeout is ended, not moved to the background', async () => {
  project.put(
    'src/components/s.py',
    "import time\ntime.sleep(12)\nopen('src/secret.ts', 'w').write('leaked')\n",
  );
  const run = await project.claude([
    select(),
    { calls: [{ name: 'Bash', input: { command: 'python3 src/components/s.py', timeout: 2000 } }] },
    bash('sleep 13'),
    { text: 'Done.' },
  ]);
  expect(run.shown).not.toContain('moved to the background');
  expect(run.shown).not.toContain('task-notification');
  expect(project.text('src/secret.ts')).toBe("export const secret = 'untouched';\n");
});

test('F-4, U-10: ordinary git takes no hooks away, and no commit takes them along', async () => {
  const git = (words: string) => bash(`git -c user.name=t -c user.email=t@example.invalid ${words}`);
  const run = await project.claude([
    select(),
    git('checkout -q -b work'),
    write(project.path('src/components/new.ts'), 'export {};\n'),
    git('add -A'),
    git('commit -qm work'),
    git('checkout -q -'),
    write(project.path('src/leak.ts'), 'x'),
    { text: 'Done.' },
  ]);
  expect(run.results.at(-1)).toContain('src/leak.ts is outside the owned_scope');
  expect(project.has('src/leak.ts')).toBe(false);
  expect(project.committed('work')).toContain('src/components/new.ts');
  expect(project.committed('work').join('\n')).not.toMatch(/^\.claude|^\.mcp/m);
});

test.each([
  ['local', '.claude/settings.local.json'],
  ['project', '.claude/settings.json'],
  ['user', '../home/.claude/settings.json'],
])('F-3: a script that switches the hooks off in the %s settings and lives on', async (_place, file) => {
  project.put(
    'src/components/off.py',
    [
      'import os, time',
      `os.makedirs(os.path.dirname('${file}'), exist_ok=True)`,
      `open('${file}', 'w').write('{"disableAllHooks": true}')`,
      'time.sleep(4)',
    ].join('\n'),
  );
  const run = await project.claude([
    select(),
    bash('python3 src/components/off.py'),
    write(project.path('src/leak.ts'), 'x'),
    bash('echo x > src/leak.ts'),
    { text: 'Done.' },
  ]);
  expect(project.has('src/leak.ts')).toBe(false);
  expect(run.results.at(-1)).toMatch(/Violation/);
  expect(project.violations().map(({ target }) => target)).toContainEqual(
    expect.stringContaining('settings'),
  );
  expect(project.json<{ hosts: { faults: string[] }[] }>('status').hosts[0]!.faults).toEqual([]);
  expect(project.text('.orchestration/active_intents.yaml')).toContain('status: BLOCKED');
});

test('U-10: hooks that git tracks govern another clone, and refuse where PactClaw is not installed', async () => {
  for (const args of [['uninstall'], ['install', '--shared']])
    expect(project.cli(args[0]!, 'claude-code', ...args.slice(1)).code).toBe(0);
  const git = (...args: string[]) =>
    spawnSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.invalid', ...args], {
      cwd: project.root,
    });
  git('add', '-A');
  git('commit', '-qm', 'shared');
  const clone = `${project.folder}/a clone`;
  git('clone', '-q', project.root, clone);
  const tools = `${project.folder}/tools`;
  fs.mkdirSync(tools);
  const PATH = process.env.PATH ?? '';
  const script = [
    select(),
    write(`${clone}/src/components/new.ts`, 'export {};\n'),
    write(`${clone}/src/leak.ts`, 'x'),
    { text: 'Done.' },
  ];
  await project.claude(script, { cwd: clone, env: { PATH } });
  expect(fs.existsSync(`${clone}/src/components/new.ts`)).toBe(false);
  for (const name of ['pactclaw', 'pactclaw-hook'])
    fs.symlinkSync(`${PACKAGE}/bin/${name}`, `${tools}/${name}`);
  const run = await project.claude(script, { cwd: clone, env: { PATH: `${tools}:${PATH}` } });
  expect(run.results.at(-1)).toContain('src/leak.ts is outside the owned_scope');
  expect(fs.existsSync(`${clone}/src/components/new.ts`)).toBe(true);
  expect(fs.existsSync(`${clone}/src/leak.ts`)).toBe(false);
});

/** Words that start a program with an `/etc` of its own, which it may write as root of a namespace (unshare(1)). */
function ownEtc(folder: string): string[] {
  for (const part of ['upper', 'work']) fs.mkdirSync(`${folder}/${part}`, { recursive: true });
  const mount = `mount -t overlay overlay -o lowerdir=/etc,upperdir=${folder}/upper,workdir=${folder}/work /etc`;
  return ['unshare', '-rm', '/bin/sh', '-c', `${mount} && exec "$0" "$@"`];
}

test('F-3: managed hooks hold though all other settings, and --settings, switch hooks off', async () => {
  expect(project.cli('uninstall', 'claude-code').code).toBe(0);
  const wrapper = ownEtc(`${project.folder}/etc`);
  const managed = (command: string) =>
    spawnSync(
      wrapper[0]!,
      [...wrapper.slice(1), process.execPath, `${PACKAGE}/bin/pactclaw`, command, 'claude-code', '--managed'],
      { cwd: project.root, env: { PATH: process.env.PATH ?? '', HOME: project.home }, encoding: 'utf8' },
    );
  expect(managed('install')).toMatchObject({ status: 0 });
  const off = '{"disableAllHooks": true}';
  project.put('.claude/settings.local.json', off);
  project.put('../home/.claude/settings.json', off);
  const run = await project.claude(
    [
      write(project.path('src/before.ts'), 'x'),
      select(),
      write(project.path('src/components/new.ts'), 'export {};\n'),
      write(project.path('src/leak.ts'), 'x'),
      { text: 'Done.' },
    ],
    { wrapper, args: ['--settings', off] },
  );
  expect(run.results[0]).toContain('State Violation');
  expect(run.results.at(-1)).toContain('src/leak.ts is outside the owned_scope');
  expect(project.has('src/components/new.ts')).toBe(true);
  expect(project.has('src/leak.ts')).toBe(false);
  expect(managed('uninstall')).toMatchObject({ status: 0 });
  expect(fs.existsSync(`${project.folder}/etc/upper/claude-code`)).toBe(false);
});
