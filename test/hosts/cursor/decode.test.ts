import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PactError } from '../../../src/core/errors.ts';
import { callOf as decodeCall, decodeInput, isUnnamedMcp } from '../../../src/hosts/cursor/decode.ts';
import { cursor } from '../../../src/hosts/cursor/host.ts';
import { bytesOf, type Recorded, recorded } from '../support/recorded.ts';

const all = recorded('cursor', 'hooks.jsonl');
const EVENTS = Object.keys(cursor.hooks.events);
const callOf = (one: Recorded) => decodeCall(decodeInput(bytesOf(one.in)));
const payload = (more: object = {}) => ({
  conversation_id: 's1',
  hook_event_name: 'preToolUse',
  workspace_roots: ['/ws'],
  tool_name: 'Write',
  tool_input: { file_path: '/ws/a', content: 'x' },
  tool_use_id: 't1',
  cwd: '/ws',
  ...more,
});
const decode = (more: object = {}) => decodeCall(decodeInput(bytesOf(payload(more))));
const decodeMcp = (more: object = {}) => decode({ hook_event_name: 'beforeMCPExecution', ...more });

describe('every payload that the executor of hooks makes', () => {
  test.each(all.map((one, at) => [`${at} ${one.label} ${String(one.in.tool_name ?? '')}`, one] as const))(
    '%s',
    (_name, one) => {
      expect(EVENTS).toContain(one.label);
      expect(decodeInput(bytesOf(one.in))).toMatchObject({ event: one.label, cwd: '/home/dev/project' });
      if ('tool_name' in one.in) expect(callOf(one).cwd).toBe('/home/dev/project');
    },
  );

  test('a call and its end have one id; around an MCP tool there is none, and what it does joins them', () => {
    const ids = (...labels: string[]) =>
      all
        .filter(({ label }) => labels.includes(label))
        .filter((one) => one.label.endsWith('MCPExecution') || !isUnnamedMcp(decodeInput(bytesOf(one.in))))
        .map((one) => callOf(one).callId)
        .toSorted();
    expect(ids('preToolUse')).toEqual(ids('postToolUse', 'postToolUseFailure'));
    expect(ids('beforeMCPExecution')).toEqual(ids('afterMCPExecution'));
    expect(new Set(ids('beforeMCPExecution')).size).toBe(3);
  });
});

describe('what cannot be decoded is an error, never a call', () => {
  test.each([
    ['nothing', ''],
    ['no JSON', '{'],
    ['no session', payload({ conversation_id: '' })],
    ['no event', payload({ hook_event_name: undefined })],
    ['no folder', payload({ cwd: undefined, workspace_roots: [] })],
  ])('%s', (_what, value) => {
    expect(() => decodeInput(bytesOf(value))).toThrow(PactError);
  });

  test.each([
    ['no tool', { tool_name: undefined }],
    ['input that is a list', { tool_input: [] }],
    ['input that is no JSON', { tool_input: '{' }],
    ['input that is JSON but no object', { tool_input: '7' }],
    ['a write without a path', { tool_input: { content: 'x' } }],
    ['a delete without a path', { tool_name: 'Delete', tool_input: {} }],
    ['a shell without a command', { tool_name: 'Shell', tool_input: {} }],
    ['typing that is hidden', { tool_name: 'WriteShellStdin', tool_input: { shell_id: 1, chars_length: 9 } }],
    ['actions that are hidden', { tool_name: 'ComputerUse', tool_input: { actions_count: 3 } }],
    [
      'a name that only we give',
      { tool_name: 'pactclaw/select_active_intent', tool_input: { intent_id: 'A' } },
    ],
  ])('%s', (_what, more) => {
    expect(() => decode(more)).toThrow(PactError);
  });

  test('an MCP call without its server', () => {
    expect(() => decodeMcp({ tool_name: 'x', tool_input: '{}' })).toThrow('mcp_server_name is missing');
  });

  test('no bytes at all give anything but a PactError or a call that names its tool', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (raw) => {
        try {
          expect(decode({ tool_input: raw }).tool).toBe('file_write');
        } catch (error) {
          expect(error).toBeInstanceOf(PactError);
        }
      }),
    );
  });
});

describe('a call', () => {
  test.each([
    ['Write', { file_path: '/ws/a' }, 'file_write', 'write', true, [{ path: '/ws/a', role: 'write' }]],
    ['Delete', { file_path: 'a' }, 'file_delete', 'delete', true, [{ path: 'a', role: 'delete' }]],
    ['Read', { file_path: 'a' }, 'file_read', 'read', false, [{ path: 'a', role: 'read' }]],
    ['Shell', { command: 'ls' }, 'shell', 'execute', true, []],
    [
      'FetchMcpResource',
      { download_path: 'a' },
      'mcp_resource',
      'execute',
      true,
      [{ path: 'a', role: 'write' }],
    ],
    ['RecordScreen', {}, 'unknown:RecordScreen', 'execute', true, []],
    ['constructor', {}, 'unknown:constructor', 'execute', true, []],
  ])('%s %j', (tool_name, tool_input, tool, kind, mutating, targets) => {
    expect(decode({ tool_name, tool_input })).toMatchObject({ tool, kind, mutating, targets });
  });

  test('a command runs where it says', () => {
    expect(decode({ tool_name: 'Shell', tool_input: { command: 'ls', cwd: '/ws/sub' } }).cwd).toBe('/ws/sub');
  });

  const select = { tool_name: 'select_active_intent', tool_input: '{"intent_id":"A"}' };
  test('the handshake is the one of our own server', () => {
    expect(decodeMcp({ ...select, mcp_server_name: 'pactclaw' })).toMatchObject({
      tool: 'select_active_intent',
      mutating: false,
      args: { intent_id: 'A' },
    });
    expect(decodeMcp({ ...select, mcp_server_name: 'other' })).toMatchObject({
      tool: 'unknown:MCP:select_active_intent',
      mutating: true,
    });
  });
});
