import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { PactError } from '../../../src/core/errors.ts';
import { decodeCall } from '../../../src/hosts/qwen/decode.ts';
import { hookInput } from '../../../src/hosts/shared/decode/hook-input.ts';
import { expectWriteOrError } from '../support/undecodable.ts';

const decodeInput = (bytes: Uint8Array) => hookInput('qwen', bytes);

const bytes = (value: unknown) => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));
const payload = (more: object = {}) => ({
  hook_event_name: 'PreToolUse',
  session_id: 's1',
  cwd: '/ws',
  transcript_path: '/t.jsonl',
  tool_name: 'write_file',
  tool_input: { file_path: '/ws/a', content: 'x' },
  tool_use_id: 'toolu_1',
  tool_call_id: 'call_1',
  ...more,
});
const decode = (more: object = {}) => decodeCall(decodeInput(bytes(payload(more))));

function recorded(name: string): Record<string, unknown>[] {
  return readFileSync(`fixtures/hosts/qwen/${name}`, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => (JSON.parse(line) as { in: Record<string, unknown> }).in);
}

describe('recorded payloads', () => {
  test.each([
    ['hooks.jsonl', 38],
    ['hooks-monitor.jsonl', 4],
    ['hooks-governed.jsonl', 30],
  ])('%s: every event decodes, every call is known', (name, atLeast) => {
    const payloads = recorded(name);
    expect(payloads.length).toBeGreaterThanOrEqual(atLeast);
    for (const one of payloads) {
      const input = decodeInput(bytes(one));
      expect(input).toMatchObject({ event: one.hook_event_name, sessionId: one.session_id, cwd: one.cwd });
      if (one.tool_name === undefined) continue;
      const call = decodeCall(input);
      expect(call.declared, String(one.tool_name)).toBe(one.tool_name !== 'mcp__rec__write_note');
      expect(call.unnamed).toBeUndefined();
    }
  });

  test('both ends of a call have one id, and no other call has it', () => {
    const calls = recorded('hooks-governed.jsonl').filter((one) => one.tool_name !== undefined);
    const ids = (pattern: RegExp) =>
      calls
        .filter((one) => pattern.test(String(one.hook_event_name)))
        .map((one) => decodeCall(decodeInput(bytes(one))).callId);
    const [before, after] = [ids(/^Pre/), ids(/^Post/)];
    expect(new Set(before).size).toBe(before.length);
    expect(new Set(after).size).toBe(after.length);
    expect(before).toEqual(expect.arrayContaining(after));
  });

  test('a subagent’s call names it', () => {
    const sub = recorded('hooks.jsonl').find(
      (one) => one.agent_id !== undefined && one.tool_name !== undefined,
    );
    expect(decodeCall(decodeInput(bytes(sub))).agentId).toBe(sub?.agent_id);
  });
});

describe('what cannot be decoded is an error, never a call', () => {
  test.each([
    ['nothing', ''],
    ['no JSON', '{'],
    ['no session', payload({ session_id: undefined })],
    ['no event', payload({ hook_event_name: undefined })],
    ['no folder', payload({ cwd: undefined })],
  ])('%s', (_what, value) => {
    expect(() => decodeInput(bytes(value))).toThrow(PactError);
  });

  test.each([
    ['no tool', { tool_name: undefined }],
    ['an input that is a list', { tool_input: [] }],
    ['a write without a path', { tool_input: { content: 'x' } }],
    ['a shell without a command', { tool_name: 'run_shell_command', tool_input: {} }],
    ['a monitor without a command', { tool_name: 'monitor', tool_input: {} }],
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
  const at = (path: string, role: string) => ({ path, role });
  test.each([
    ['write_file', { file_path: '/ws/a' }, 'file_write', 'write', true, [at('/ws/a', 'write')]],
    ['edit', { file_path: '/ws/a' }, 'patch', 'write', true, [at('/ws/a', 'write')]],
    ['notebook_edit', { notebook_path: 'n' }, 'notebook_edit', 'write', true, [at('n', 'write')]],
    ['read_file', { file_path: 'a' }, 'file_read', 'read', false, [at('a', 'read')]],
    ['grep_search', { pattern: 'x' }, 'search', 'read', false, []],
    ['run_shell_command', { command: 'ls' }, 'shell', 'execute', true, []],
    ['monitor', { command: 'ls' }, 'monitor', 'execute', true, []],
    ['web_fetch', { url: 'https://x' }, 'http', 'network', false, []],
    ['agent', { prompt: 'y' }, 'agent', 'control', false, []],
    ['exec', { file: 'a' }, 'unknown:exec', 'execute', true, [at('a', 'write')]],
    ['tool_call', { name: 'write_file', arguments: { file_path: 'b' } }, 'unknown:tool_call', 'execute', true, [at('b', 'write')]], // biome-ignore format: one row a case
    ['mcp__pactclaw__select_active_intent', { intent_id: 'A' }, 'select_active_intent', 'control', false, []],
    ['mcp__pactclaw__other', { path: 'a' }, 'mcp__pactclaw__other', 'execute', true, [at('a', 'write')]],
    ['constructor', {}, 'unknown:constructor', 'execute', true, []],
  ])('%s %j', (tool_name, tool_input, tool, kind, mutating, targets) => {
    const call = decode({ tool_name, tool_input });
    expect(call).toMatchObject({ tool, kind, mutating, targets, hostTool: tool_name, callId: 'toolu_1' });
  });

  test('the host’s own id counts: the model’s may repeat', () => {
    expect(decode({ tool_call_id: 'call_2' }).callId).toBe('toolu_1');
    expect(decode({ tool_use_id: undefined })).toMatchObject({ unnamed: true });
  });

  test.each([
    ['run_shell_command', { command: 'ls', directory: '/other' }, '/other'],
    ['run_shell_command', { command: 'ls', directory: 'sub' }, '/ws/sub'],
    ['monitor', { command: 'ls', directory: '/other' }, '/other'],
    ['write_file', { file_path: 'a', directory: '/other' }, '/ws'],
  ])('%s %j starts in %s', (tool_name, tool_input, cwd) => {
    expect(decode({ tool_name, tool_input }).cwd).toBe(cwd);
  });

  test.each([
    ['run_shell_command', { command: 'ls', is_background: true }, true],
    ['run_shell_command', { command: 'ls', is_background: false }, undefined],
    ['monitor', { command: 'ls' }, true],
  ])('%s %j in the background: %s', (tool_name, tool_input, expected) => {
    expect(decode({ tool_name, tool_input }).background).toBe(expected);
  });

  test.each([
    ['select:mcp__pactclaw__select_active_intent', true],
    ['select:mcp__pactclaw__select_active_intent,write_file', undefined],
    ['pactclaw', undefined],
  ])('tool_search for %s finds the handshake: %s', (query, expected) => {
    expect(decode({ tool_name: 'tool_search', tool_input: { query } }).findsHandshake).toBe(expected);
  });
});
