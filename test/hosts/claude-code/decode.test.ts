import { describe, expect, test } from 'vitest';
import { PactError } from '../../../src/core/errors.ts';
import { decodeCall, decodeInput } from '../../../src/hosts/claude-code/decode.ts';
import { expectWriteOrError } from '../support/undecodable.ts';

const bytes = (value: unknown) => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));
const payload = (more: object = {}) => ({
  hook_event_name: 'PreToolUse',
  session_id: 's1',
  cwd: '/ws',
  transcript_path: '/t.jsonl',
  tool_name: 'Write',
  tool_input: { file_path: '/ws/a', content: 'x' },
  tool_use_id: 'toolu_1',
  ...more,
});
const decode = (more: object = {}) => decodeCall(decodeInput(bytes(payload(more))));

describe('what cannot be decoded is an error, never a call', () => {
  test.each([
    ['nothing', ''],
    ['no JSON', '{'],
    ['a list', []],
    ['no session', payload({ session_id: undefined })],
    ['an empty session', payload({ session_id: '' })],
    ['a session that is no text', payload({ session_id: 7 })],
    ['a session without end', payload({ session_id: 'x'.repeat(257) })],
    ['no event', payload({ hook_event_name: undefined })],
    ['no folder', payload({ cwd: undefined })],
  ])('%s', (_what, value) => {
    expect(() => decodeInput(bytes(value))).toThrow(PactError);
  });

  test('bytes that are not UTF-8', () => {
    expect(() => decodeInput(Buffer.from([0x7b, 0xff, 0x7d]))).toThrow('it is not UTF-8');
  });

  test.each([
    ['no tool', { tool_name: undefined }],
    ['an input that is a list', { tool_input: [] }],
    ['an input that is text', { tool_input: 'rm' }],
    ['a write without a path', { tool_input: { content: 'x' } }],
    ['a write to a list of paths', { tool_input: { file_path: ['/ws/a'] } }],
    ['a read of a path that is no text', { tool_name: 'Read', tool_input: { file_path: { a: 1 } } }],
    ['a shell without a command', { tool_name: 'Bash', tool_input: {} }],
    ['a shell with a command that is no text', { tool_name: 'Bash', tool_input: { command: ['ls'] } }],
  ])('%s', (_what, more) => {
    expect(() => decode(more)).toThrow(PactError);
  });

  test('no bytes at all give anything but a PactError or a call that names its tool', () => {
    expectWriteOrError(
      (bytes) => decodeCall(decodeInput(bytes)),
      (tool_input) => payload({ tool_input }),
    );
  });
});

describe('a call', () => {
  test.each([
    ['Write', { file_path: '/ws/a' }, 'file_write', 'write', true, [{ path: '/ws/a', role: 'write' }]],
    ['Edit', { file_path: 'a' }, 'patch', 'write', true, [{ path: 'a', role: 'write' }]],
    ['NotebookEdit', { notebook_path: 'n' }, 'notebook_edit', 'write', true, [{ path: 'n', role: 'write' }]],
    ['Read', { file_path: 'a' }, 'file_read', 'read', false, [{ path: 'a', role: 'read' }]],
    ['Grep', { pattern: 'x' }, 'search', 'read', false, []],
    ['Bash', { command: 'ls' }, 'shell', 'execute', true, []],
    ['WebFetch', { url: 'https://x' }, 'http', 'network', false, []],
    ['mcp__pactclaw__select_active_intent', { intent_id: 'A' }, 'select_active_intent', 'control', false, []],
    [
      'mcp__files__write',
      { path: 'a', url: 'https://x' },
      'mcp__files__write',
      'execute',
      true,
      [{ path: 'a', role: 'write' }],
    ],
    ['Invented', { file: 'b', destination: 'c', target: 'https://x' }, 'unknown:Invented', 'execute', true, [{ path: 'c', role: 'write' }, { path: 'b', role: 'write' }]], // biome-ignore format: one row a case
    ['write', { file_path: 'a' }, 'unknown:write', 'execute', true, [{ path: 'a', role: 'write' }]],
    ['constructor', {}, 'unknown:constructor', 'execute', true, []],
    ['__proto__', {}, 'unknown:__proto__', 'execute', true, []],
  ])('%s %j', (tool_name, tool_input, tool, kind, mutating, targets) => {
    const call = decode({ tool_name, tool_input });
    expect(call).toMatchObject({
      tool,
      kind,
      mutating,
      hostTool: tool_name,
      cwd: '/ws',
      sessionId: 's1',
      callId: 'toolu_1',
    });
    expect([...call.targets].sort((a, b) => (a.path < b.path ? 1 : -1))).toEqual(
      [...targets].sort((a, b) => (a.path < b.path ? 1 : -1)),
    );
    expect(call.declared).toBe(!tool.startsWith('unknown:') && tool !== 'mcp__files__write');
  });

  test.each([
    [{ tool_name: 'Bash', tool_input: { command: 'ls', run_in_background: true } }, true],
    [{ tool_name: 'Bash', tool_input: { command: 'ls' } }, undefined],
    [{ tool_name: 'Monitor', tool_input: { command: 'ls' } }, true],
  ])('%j in the background: %s', (more, expected) => {
    expect(decode(more).background).toBe(expected);
  });

  test.each([
    ['select:mcp__pactclaw__select_active_intent', true],
    ['select:mcp__pactclaw__select_active_intent,Bash', undefined],
    ['select:Bash', undefined],
    ['pactclaw', undefined],
  ])('ToolSearch for %s finds the handshake: %s', (query, expected) => {
    expect(decode({ tool_name: 'ToolSearch', tool_input: { query } }).findsHandshake).toBe(expected);
  });
});

describe('identity (H-90)', () => {
  const identity = (tool_name: string, tool_input: object) => decode({ tool_name, tool_input }).identity;

  test('the order of arguments and a note to a human make no difference', () => {
    expect(identity('Write', { file_path: 'a', content: 'b' })).toBe(
      identity('Write', { content: 'b', file_path: 'a' }),
    );
    expect(identity('Bash', { command: 'ls', description: 'one' })).toBe(
      identity('Bash', { command: 'ls', description: 'two' }),
    );
    expect(identity('Bash', { command: 'ls', timeout: 1 })).toBe(
      identity('Bash', { command: 'ls', timeout: 2 }),
    );
    expect(identity('mcp__pactclaw__select_active_intent', { intent_id: 'A', reasoning: 'x' })).toBe(
      identity('mcp__pactclaw__select_active_intent', { intent_id: 'A', reasoning: 'y' }),
    );
  });

  test('any other difference does', () => {
    expect(identity('Write', { file_path: 'a', content: 'b' })).not.toBe(
      identity('Write', { file_path: 'a', content: 'c' }),
    );
    expect(identity('Write', { file_path: 'a' })).not.toBe(identity('Edit', { file_path: 'a' }));
    expect(identity('Bash', { command: 'ls' })).not.toBe(identity('Bash', { command: 'ls ' }));
  });

  test('text that is no Unicode has one, too', () => {
    expect(identity('Write', { file_path: 'a\ud800' })).toMatch(/^[0-9a-f]{64}$/);
  });
});
