/** Hooks in the settings of the whole machine, which no other settings switch off. */
import fs from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { assertAdministrator } from '../../../src/cli/commands/install.ts';
import { claudeCodeInstaller } from '../../../src/hosts/claude-code/install/installer.ts';
import { claudeCodeVerifier } from '../../../src/hosts/claude-code/verify/verifier.ts';
import { ScratchMachine } from '../support/installed.ts';

const FILE = 'etc/claude-code/managed-settings.json';
let machine: ScratchMachine;
beforeEach(() => {
  machine = new ScratchMachine({ node: process.execPath, install: process.cwd() });
});
afterEach(() => machine.remove());

const install = (scope: 'managed' | 'local' | 'project' | 'user' = 'managed') =>
  machine.install(claudeCodeInstaller, scope);
const faults = () => machine.faults(claudeCodeVerifier);

test('F-3: managed hooks are in force whatever other settings say', async () => {
  install();
  expect(machine.json(FILE)).toMatchObject({ disableAllHooks: false, allowManagedHooksOnly: true });
  expect(JSON.stringify(machine.json(FILE))).not.toContain('--workspace');
  expect(await faults()).toEqual([]);
  for (const file of ['home/.claude/settings.json', 'project/.claude/settings.local.json'])
    machine.put(file, '{"disableAllHooks": true, "allowManagedHooksOnly": true}');
  expect(await faults()).toEqual([]);
});

test('F-3: an administrator who takes them out, or switches them off, is told of', async () => {
  install();
  const on = fs.readFileSync(`${machine.root}/${FILE}`, 'utf8');
  machine.put(FILE, on.replace('"disableAllHooks": false', '"disableAllHooks": true'));
  expect((await faults()).join('\n')).toContain(`disableAllHooks in ${machine.root}/${FILE}`);
  machine.put('etc/claude-code/managed-settings.d/90-off.json', '{"disableAllHooks": true}');
  machine.put(FILE, on);
  expect((await faults()).join('\n')).toContain('90-off.json');
  fs.rmSync(`${machine.root}/etc`, { recursive: true });
  expect((await faults()).join('\n')).toContain('PreToolUse is registered');
});

test('what an administrator has there stays, and comes back to the byte', () => {
  const own = '{ "allowManagedHooksOnly": true,\n "permissions": {"deny": ["WebFetch"]}}';
  machine.put(FILE, own);
  install();
  expect(machine.json(FILE).permissions).toEqual({ deny: ['WebFetch'] });
  machine.uninstall(claudeCodeInstaller);
  expect(fs.readFileSync(`${machine.root}/${FILE}`, 'utf8')).toBe(own);
});

test('hooks of others are shut out, so that only managed ones count', async () => {
  install('local');
  machine.put(FILE, '{"allowManagedHooksOnly": true}');
  expect((await faults()).join('\n')).toContain('left to the administrator');
  expect(() => install('user')).toThrow('only hooks of an administrator count here');
  machine.uninstall(claudeCodeInstaller);
  install();
  expect(await faults()).toEqual([]);
});

test('an administrator who switched all hooks off is not overruled', () => {
  machine.put(FILE, '{"disableAllHooks": true}');
  expect(() => install()).toThrow('hooks are switched off here');
});

test('only root is let near them', () => {
  expect(() => assertAdministrator('managed', 1000)).toThrow('only root can write them');
  expect(() => assertAdministrator('managed', 0)).not.toThrow();
  expect(() => assertAdministrator('user', 1000)).not.toThrow();
});
