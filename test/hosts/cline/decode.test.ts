import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PactError } from '../../../src/core/errors.ts';
import { decodeCall, decodeInput } from '../../../src/hosts/cline/decode.ts';
import { bytesOf, recorded } from '../support/recorded.ts';

const all = ['hooks.jsonl', 'hooks-governed.jsonl'].flatMap((file) => recorded('cline', file));
const callsOf = (label: string) =>
  recorded('cline', 'hooks-governed.jsonl')
    .filter((one) => one.label === label)
    .map((one) => decodeCall(decodeInput(bytesOf(one.in))));

const payload = (more: object = {}) => ({
  hookName: 'tool_call',
  sessionContext: { rootSessionId: 's1' },
  workspaceRoots: ['/ws'],
  agent_id: 'a1',
  parent_agent_id: null,
  ...more,
});
const decode = (name: unknown, input: unknown, more: object = {}) =>
  decodeCall(decodeInput(bytesOf(payload({ tool_call: { id: 'c1', name, input }, ...more }))));

describe('recorded payloads', () => {
  test.each(all.map((one, at) => [`${at} ${one.label}`, one] as const))('%s', (_name, one) => {
    const input = decodeInput(bytesOf(one.in));
    expect(input).toMatchObject({ event: one.label, cwd: '/home/dev/project' });
    if (one.label.endsWith('ToolUse')) expect(decodeCall(input).unnamed).toBeUndefined();
  });

  test('every tool of a run is known; a subagent works in the session of the run', () => {
    const calls = callsOf('PreToolUse');
    expect(calls.map(({ tool }) => tool)).toEqual([
      'select_active_intent',
      'file_write',
      'file_read',
      'search',
      'agent',
      'shell',
      'shell',
    ]);
    expect(calls.every(({ declared }) => declared)).toBe(true);
    expect(new Set(calls.map(({ sessionId }) => sessionId)).size).toBe(1);
    expect(calls.map(({ agentId }) => agentId !== undefined)).toEqual([
      false,
      false,
      false,
      false,
      false,
      true,
      false,
    ]);
  });

  test('an end has the id of its beginning', () => {
    const ids = (label: string) => callsOf(label).map(({ callId }) => callId);
    expect(ids('PostToolUse').toSorted()).toEqual(ids('PreToolUse').toSorted());
  });
});

describe('what cannot be decoded is an error, never a call', () => {
  test.each([
    ['nothing', ''],
    ['no JSON', '{'],
    ['no event', payload({ hookName: undefined })],
    ['no session', payload({ sessionContext: {} })],
    ['a session that is no text', payload({ sessionContext: { rootSessionId: 7 } })],
    ['no workspace', payload({ workspaceRoots: [] })],
    ['a subagent without a name', payload({ agent_id: '', parent_agent_id: 'a0' })],
  ])('%s', (_what, value) => {
    expect(() => decodeInput(bytesOf(value))).toThrow(PactError);
  });

  test('a payload of the editor extension, which has its arguments as text alone', () => {
    const more = {
      hookName: 'PreToolUse',
      preToolUse: { toolName: 'write_to_file', parameters: { path: 'a' } },
    };
    expect(() => decodeCall(decodeInput(bytesOf(payload(more))))).toThrow('tool_call is missing');
  });

  test.each([
    ['no name', undefined, {}],
    ['input that is a list', 'editor', []],
    ['an editor without a path', 'editor', { new_text: 'x' }],
    ['no commands', 'run_commands', {}],
    ['no command among the commands', 'run_commands', { commands: [] }],
    ['a command that is no text', 'run_commands', { commands: ['ls', 7] }],
    ['one text for the list of commands', 'run_commands', { commands: 'ls' }],
    ['no file to read', 'read_files', {}],
    ['a patch without files', 'apply_patch', { input: 'x' }],
  ])('%s', (_what, name, input) => {
    expect(() => decode(name, input)).toThrow(PactError);
  });

  test('no bytes at all give anything but a PactError or a call that names its tool', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom('editor', 'run_commands', 'read_files'), (input, name) => {
        try {
          expect(decode(name, input).declared).toBe(true);
        } catch (error) {
          expect(error).toBeInstanceOf(PactError);
        }
      }),
    );
  });
});

describe('a call', () => {
  test.each([
    [
      'editor',
      { path: '/ws/a', new_text: 'x' },
      'file_write',
      'write',
      true,
      [{ path: '/ws/a', role: 'write' }],
    ],
    [
      'read_files',
      { files: [{ path: 'a' }, 'b'] },
      'file_read',
      'read',
      false,
      [
        { path: 'a', role: 'read' },
        { path: 'b', role: 'read' },
      ],
    ],
    ['fetch_web_content', { requests: [] }, 'http', 'network', false, []],
    ['team_run_task', { task: 'x' }, 'team_run_task', 'control', false, []],
    ['srv__write', { path: 'x' }, 'unknown:srv__write', 'execute', true, [{ path: 'x', role: 'write' }]],
    ['select_active_intent', { intent_id: 'A' }, 'unknown:select_active_intent', 'execute', true, []],
    ['pactclaw__x__why', {}, 'unknown:pactclaw__x__why', 'execute', true, []],
    ['constructor', {}, 'unknown:constructor', 'execute', true, []],
  ])('%s %j', (name, input, tool, kind, mutating, targets) => {
    expect(decode(name, input)).toMatchObject({ tool, kind, mutating, targets });
  });

  test('each of several commands is read as a shell of its own', () => {
    expect(decode('run_commands', { commands: ['ls'] }).command).toBe('ls');
    expect(decode('run_commands', { commands: ["echo '", 'rm -rf x'] }).command).toBe(
      "bash -c 'echo '\\'''\nbash -c 'rm -rf x'",
    );
  });
});
