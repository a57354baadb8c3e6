import { describe, expect, test } from 'vitest';
import { PactError } from '../../../src/core/errors.ts';
import { EVENTS } from '../../../src/hosts/copilot/adapter.ts';
import { decodeCall, decodeInput } from '../../../src/hosts/copilot/decode.ts';
import { bytesOf, recorded } from '../support/recorded.ts';
import { expectWriteOrError } from '../support/undecodable.ts';

const FILES = ['hooks.jsonl', 'hooks-parallel.jsonl', 'hooks-nested.jsonl', 'hooks-mcp-pactclaw.jsonl'];
const all = FILES.flatMap((file) => recorded('copilot', file)).filter(({ label }) => EVENTS.includes(label));
const callsOf = (label: string, file: string) =>
  recorded('copilot', file)
    .filter((one) => one.label === label)
    .map((one) => decodeCall(decodeInput(bytesOf(one.in), label)));

const payload = (more: object = {}) => ({
  sessionId: 's1',
  timestamp: 1,
  cwd: '/ws',
  toolName: 'create',
  toolArgs: { path: '/ws/a', file_text: 'x' },
  ...more,
});
const decode = (more: object = {}) => decodeCall(decodeInput(bytesOf(payload(more)), 'preToolUse'));

describe('recorded payloads', () => {
  test.each(all.map((one, at) => [`${at} ${one.label} ${String(one.in.toolName ?? '')}`, one] as const))(
    '%s',
    (_name, one) => {
      const input = decodeInput(bytesOf(one.in), one.label);
      expect(input.event).toBe(one.label);
      if ('toolName' in one.in) expect(decodeCall(input).cwd).toBe('/home/dev/project');
    },
  );

  test('a call and its end are joined, though the host gives no id', () => {
    const before = callsOf('preToolUse', 'hooks-parallel.jsonl').map(({ callId }) => callId);
    const after = [
      ...callsOf('postToolUse', 'hooks-parallel.jsonl'),
      ...callsOf('postToolUseFailure', 'hooks-parallel.jsonl'),
    ].map(({ callId }) => callId);
    expect(new Set(before).size).toBe(4);
    expect(after.toSorted()).toEqual(before.toSorted());
  });

  test("a subagent's calls belong to the session of the agent that started it", () => {
    const calls = callsOf('preToolUse', 'hooks-nested.jsonl');
    const [main, sub, nested] = calls;
    expect(main).not.toHaveProperty('agentId');
    expect(sub).toMatchObject({ sessionId: main?.sessionId, tool: 'agent' });
    expect(nested).toMatchObject({ sessionId: sub?.agentId, tool: 'shell' });
  });

  test('our own tools by the name that the host gives them', () => {
    expect(callsOf('preToolUse', 'hooks-mcp-pactclaw.jsonl')).toMatchObject([
      { tool: 'select_active_intent', kind: 'control', mutating: false, declared: true },
    ]);
  });
});

describe('what cannot be decoded is an error, never a call', () => {
  test.each([
    ['nothing', ''],
    ['no JSON', '{'],
    ['a list', []],
    ['no session', payload({ sessionId: undefined })],
    ['a session that is no text', payload({ sessionId: 7 })],
    ['no folder', payload({ cwd: undefined })],
    ['a subagent of nobody that can be named', payload({ agentId: 'a', parentAgentId: 'x'.repeat(300) })],
  ])('%s', (_what, value) => {
    expect(() => decodeInput(bytesOf(value), 'preToolUse')).toThrow(PactError);
  });

  test('a hook that was not told its event', () => {
    expect(() => decodeInput(bytesOf(payload()), null)).toThrow('--event');
  });

  test.each([
    ['no tool', { toolName: undefined }],
    ["another host's names", { toolName: undefined, tool_name: 'run_in_terminal', tool_input: {} }],
    ['arguments that are a list', { toolArgs: [] }],
    ['arguments that are no JSON', { toolArgs: '{"path":' }],
    ['arguments that are JSON but no object', { toolArgs: '"rm"' }],
    ['a write without a path', { toolArgs: { file_text: 'x' } }],
    ['a shell without a command', { toolName: 'bash', toolArgs: {} }],
    ['a patch without files', { toolName: 'apply_patch', toolArgs: { patch: 'x' } }],
    [
      'typing into a command that runs',
      { toolName: 'write_bash', toolArgs: { shellId: '1', input: 'rm x' } },
    ],
  ])('%s', (_what, more) => {
    expect(() => decode(more)).toThrow(PactError);
  });

  test('no bytes at all give anything but a PactError or a call that names its tool', () => {
    expectWriteOrError(
      (bytes) => decodeCall(decodeInput(bytes, 'preToolUse')),
      (toolArgs) => payload({ toolArgs }),
      (args) => payload({ toolArgs: JSON.stringify(args) }),
    );
  });
});

describe('a call', () => {
  test.each([
    ['create', { path: '/ws/a' }, 'file_write', 'write', true, [{ path: '/ws/a', role: 'write' }]],
    ['edit', { path: 'a', old_str: 'x' }, 'patch', 'write', true, [{ path: 'a', role: 'write' }]],
    [
      'apply_patch',
      { patch: '*** Begin Patch\n*** Delete File: a\n*** End Patch' },
      'patch',
      'write',
      true,
      [{ path: 'a', role: 'delete' }],
    ],
    ['view', { path: 'a' }, 'file_read', 'read', false, [{ path: 'a', role: 'read' }]],
    ['bash', { command: 'ls' }, 'shell', 'execute', true, []],
    ['sql', { query: "ATTACH 'x'" }, 'session_sql', 'execute', true, []],
    ['task', { prompt: 'x' }, 'agent', 'control', false, []],
    [
      'rec-write_note',
      { path: 'x' },
      'unknown:rec-write_note',
      'execute',
      true,
      [{ path: 'x', role: 'write' }],
    ],
    ['pactclaw-x', {}, 'unknown:pactclaw-x', 'execute', true, []],
    ['Pactclaw-why', {}, 'unknown:Pactclaw-why', 'execute', true, []],
    ['constructor', {}, 'unknown:constructor', 'execute', true, []],
  ])('%s %j', (toolName, toolArgs, tool, kind, mutating, targets) => {
    expect(decode({ toolName, toolArgs })).toMatchObject({ tool, kind, mutating, targets });
  });

  test('arguments as JSON text, as earlier versions send them, are the same call', () => {
    const args = { path: '/ws/a', file_text: 'x' };
    expect(decode({ toolArgs: JSON.stringify(args) })).toEqual(decode({ toolArgs: args }));
  });

  test.each([[{ mode: 'async' }], [{ detach: true }]])('a command with %j goes on behind it', (more) => {
    expect(decode({ toolName: 'bash', toolArgs: { command: 'x', ...more } }).background).toBe(true);
  });
});
