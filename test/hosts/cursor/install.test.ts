import { afterEach, beforeEach, expect, test } from 'vitest';
import { cursor } from '../../../src/hosts/cursor/host.ts';
import { installerOf } from '../../../src/hosts/shared/install/table-installer.ts';
import { ScratchMachine } from '../support/installed.ts';

const cursorInstaller = installerOf(cursor);
const EVENTS = Object.keys(cursor.hooks.events);
let machine: ScratchMachine;
beforeEach(() => {
  machine = new ScratchMachine();
});
afterEach(() => machine.remove());

/** Events that the host's executor knows; one other name and it ignores the whole file. */
const KNOWN = [
  'beforeShellExecution',
  'beforeMCPExecution',
  'afterShellExecution',
  'afterMCPExecution',
  'beforeReadFile',
  'afterFileEdit',
  'beforeTabFileRead',
  'afterTabFileEdit',
  'stop',
  'beforeSubmitPrompt',
  'afterAgentResponse',
  'afterAgentThought',
  'sessionStart',
  'sessionEnd',
  'preCompact',
  'subagentStart',
  'subagentStop',
  'preToolUse',
  'postToolUse',
  'postToolUseFailure',
  'workspaceOpen',
];

test('only events that the host knows, and what decides fails closed', () => {
  machine.install(cursorInstaller, 'project');
  const { version, hooks } = machine.json('project/.cursor/hooks.json') as {
    version: number;
    hooks: Record<string, { command: string; failClosed?: boolean }[]>;
  };
  expect(version).toBe(1);
  expect(Object.keys(hooks)).toEqual(EVENTS);
  expect(EVENTS.filter((event) => !KNOWN.includes(event))).toEqual([]);
  const closed = EVENTS.filter((event) => hooks[event]?.[0]?.failClosed);
  expect(closed).toEqual(['preToolUse', 'beforeMCPExecution', 'beforeSubmitPrompt']);
});

test.each(['project', 'user'] as const)(
  '%s: installed twice is installed once, and comes off to the byte',
  (scope) => {
    const folder = scope === 'project' ? 'project/.cursor' : 'home/.cursor';
    machine.put(
      `${folder}/hooks.json`,
      '{\n\t"version": 1,\n\t"hooks": {"preToolUse": [{"command": "./own.sh"}], "stop": []}\n}',
    );
    machine.put(`${folder}/mcp.json`, '{"mcpServers": {"x": {"command": "y"}}}');
    const before = machine.tree();
    machine.install(cursorInstaller, scope);
    const installed = machine.tree();
    machine.install(cursorInstaller, scope);
    expect(machine.tree()).toEqual(installed);
    expect(machine.json(`${folder}/hooks.json`)).toMatchObject({
      hooks: { preToolUse: [{ command: './own.sh' }, {}] },
    });
    machine.uninstall(cursorInstaller);
    expect(machine.tree()).toEqual(before);
  },
);

test('with nothing there before, nothing is left', () => {
  const before = machine.tree();
  machine.install(cursorInstaller, 'project');
  machine.uninstall(cursorInstaller);
  expect(machine.tree()).toEqual(before);
});

test('nothing is installed twice over, into comments, or in the place of another server', () => {
  machine.install(cursorInstaller, 'user');
  expect(() => machine.install(cursorInstaller, 'project')).toThrow('counted twice');
  machine.uninstall(cursorInstaller);
  machine.put('project/.cursor/hooks.json', '{\n  // mine\n  "version": 1\n}\n');
  expect(() => machine.install(cursorInstaller, 'project')).toThrow('comment');
  machine.put('project/.cursor/hooks.json', '{"version": 1}');
  machine.put('project/.cursor/mcp.json', '{"mcpServers": {"pactclaw": {"command": "evil"}}}');
  expect(() => machine.install(cursorInstaller, 'project')).toThrow('another MCP server');
});
