/** Hooks in files that git tracks: they hold in every clone, and refuse where PactClaw is not installed. */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { claudeCodeInstaller } from '../../../src/hosts/claude-code/install/installer.ts';
import { claudeCodeVerifier } from '../../../src/hosts/claude-code/verify/verifier.ts';
import { ScratchMachine } from '../support/installed.ts';

const PATH = process.env.PATH ?? '';
let machine: ScratchMachine;
beforeEach(() => {
  machine = new ScratchMachine();
  machine.install(claudeCodeInstaller, 'project');
});
afterEach(() => {
  process.env.PATH = PATH;
  machine.remove();
});

/** Puts a launcher into a folder that tells what it was given. */
function putLauncher(folder: string, name = 'pactclaw-hook'): void {
  machine.put(`${folder}/${name}`, `#!/bin/sh\necho "{\\"args\\":\\"$*\\",\\"from\\":\\"${folder}\\"}"\n`);
  fs.chmodSync(`${machine.root}/${folder}/${name}`, 0o755);
}

/** Runs a registered line as the client does: by `sh -c`, with the project in the environment. */
function fire(event: string, project = machine.project) {
  const settings = machine.json('project/.claude/settings.json') as {
    hooks: Record<string, { hooks: { command: string }[] }[]>;
  };
  const line = settings.hooks[event]![0]!.hooks[0]!.command;
  const env = { PATH: `${machine.root}/bin:/usr/bin:/bin`, CLAUDE_PROJECT_DIR: project };
  const { status, stdout, stderr } = spawnSync('/bin/sh', ['-c', line], { env, encoding: 'utf8' });
  return { status, stdout: stdout.trim(), stderr };
}

test('U-10: shared files name no path of a machine, and the hooks of a clone guard that clone', () => {
  const written = Object.entries(machine.tree()).filter(([file]) => file.startsWith('project/'));
  const text = JSON.stringify(written);
  for (const place of [machine.root, '/opt/pactclaw', '/usr/bin/node']) expect(text).not.toContain(place);
  putLauncher('bin');
  for (const clone of [machine.project, `${machine.root}/a $clone's "folder"`])
    expect(fire('PreToolUse', clone)).toMatchObject({
      status: 0,
      stdout: `{"args":"node claude-code --workspace ${clone} --event PreToolUse","from":"bin"}`,
    });
});

test('U-10: where PactClaw is not installed the call is refused, and a session is not kept going', () => {
  expect(fire('PreToolUse')).toMatchObject({
    status: 2,
    stdout: '',
    stderr: expect.stringContaining('PactClaw is not installed on this machine'),
  });
  expect(fire('UserPromptSubmit').status).toBe(2);
  for (const event of ['Stop', 'SessionStart', 'SessionEnd', 'PreCompact'])
    expect(fire(event).status).toBe(1);
});

test('a launcher that is killed, or prints no answer, is refused', () => {
  for (const text of ['kill -9 $$', 'echo all is well', 'exit 0']) {
    machine.put('bin/pactclaw-hook', `#!/bin/sh\n${text}\n`);
    fs.chmodSync(`${machine.root}/bin/pactclaw-hook`, 0o755);
    expect(fire('PreToolUse')).toMatchObject({ status: 2, stdout: '' });
  }
});

test('a package of the project is found, but not before the program on PATH', () => {
  const own = 'project/node_modules/pactclaw/bin';
  putLauncher(own);
  expect(fire('PreToolUse').stdout).toContain(`"from":"${own}"`);
  putLauncher('bin');
  expect(fire('PreToolUse').stdout).toContain('"from":"bin"');
});

test('verify says where PactClaw is missing, and is content where it is found', async () => {
  process.env.PATH = path.dirname(process.execPath);
  const missing = await machine.faults(claudeCodeVerifier);
  expect(missing.join('\n')).toContain('neither on PATH nor in node_modules');
  putLauncher('project/node_modules/pactclaw/bin');
  expect(await machine.faults(claudeCodeVerifier)).toEqual([]);
});

test('verify finds a shared line that refuses nothing', async () => {
  putLauncher('bin');
  process.env.PATH = `${machine.root}/bin:${path.dirname(process.execPath)}`;
  const file = `${machine.project}/.claude/settings.json`;
  const quiet = fs.readFileSync(file, 'utf8').replace(/exit 2' pactclaw-hook/, "exit 1' pactclaw-hook");
  fs.writeFileSync(file, quiet);
  expect((await machine.faults(claudeCodeVerifier)).join('\n')).toContain('that of another event');
});

test('the launcher is found through a link, as npm installs it', () => {
  machine.put('bin/there', '');
  fs.symlinkSync(path.resolve('bin/pactclaw-hook'), `${machine.root}/bin/pactclaw-hook`);
  const args = ['/bin/false', 'claude-code', '--event', 'PreToolUse'];
  const linked = spawnSync(`${machine.root}/bin/pactclaw-hook`, args, { input: '{}', encoding: 'utf8' });
  const plain = spawnSync(path.resolve('bin/pactclaw-hook'), args, { input: '{}', encoding: 'utf8' });
  expect([linked.status, linked.stdout]).toEqual([plain.status, plain.stdout]);
});
