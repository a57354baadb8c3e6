import { afterEach, beforeEach, expect, test } from 'vitest';
import { claudeCodeInstaller } from '../../../src/hosts/claude-code/install/installer.ts';
import { EVENTS } from '../../../src/hosts/copilot/adapter.ts';
import { copilotInstaller } from '../../../src/hosts/copilot/install/installer.ts';
import { ScratchMachine } from '../support/installed.ts';

const HOOKS = 'project/.github/hooks/pactclaw.json';
let machine: ScratchMachine;
beforeEach(() => {
  machine = new ScratchMachine();
});
afterEach(() => machine.remove());

test('every event is registered under its own name, without a shell', () => {
  machine.install(copilotInstaller, 'project');
  const { version, hooks } = machine.json(HOOKS) as { version: number; hooks: Record<string, unknown[]> };
  expect(version).toBe(1);
  expect(Object.keys(hooks)).toEqual(EVENTS);
  expect(hooks.preToolUse).toEqual([
    {
      type: 'command',
      exec: '/opt/pactclaw/bin/pactclaw-hook',
      args: ['/usr/bin/node', 'copilot', '--workspace', machine.project, '--event', 'preToolUse'],
      timeoutSec: 30,
    },
  ]);
});

test.each([
  ['copilot first', copilotInstaller, claudeCodeInstaller],
  ['claude-code first', claudeCodeInstaller, copilotInstaller],
])('the server that both hosts read stays until the last one goes (%s)', (_order, first, second) => {
  const server = () => machine.json('project/.mcp.json').mcpServers;
  const before = machine.tree();
  machine.install(first, 'project');
  const { 'project/.mcp.json': _shared, ...alone } = machine.tree();
  machine.install(second, 'project');
  machine.uninstall(second);
  // The entry of a file that git tracks names no path, and serves both: it takes the other's place.
  expect(machine.tree()).toMatchObject(alone);
  expect(server()).toMatchObject({ pactclaw: { command: '/bin/sh', alwaysLoad: true } });
  machine.install(second, 'project');
  machine.uninstall(first);
  expect(server()).toMatchObject({ pactclaw: { command: '/bin/sh' } });
  machine.uninstall(second);
  expect(machine.tree()).toEqual(before);
});

test.each([
  ['project/.github/copilot/settings.json'],
  ['project/.github/copilot/settings.local.json'],
  ['home/.copilot/settings.json'],
])('nothing is installed where %s switches hooks off', (file) => {
  machine.put(file, '{"disableAllHooks": true}');
  expect(() => machine.install(copilotInstaller, 'project')).toThrow('disableAllHooks');
});
