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
