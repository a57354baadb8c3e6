import fs from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PactError } from '../../../src/core/errors.ts';
import { decodeCall, decodeInput, meantBy } from '../../../src/hosts/codex/decode.ts';
import { callIn, type RecordedCall } from '../../../src/hosts/codex/rollout.ts';
import { bytesOf, fixture, recorded } from '../support/recorded.ts';

const FILES = ['hooks.jsonl', 'hooks-subagent.jsonl', 'hooks-results.jsonl'];
const all = FILES.flatMap((file) => recorded('codex', file));
const rollout = fs.readFileSync(fixture('codex', 'rollout.jsonl'), 'utf8').split('\n');

const payload = (more: object = {}) => ({
  session_id: 's1',
  turn_id: 't1',
  transcript_path: null,
  cwd: '/ws',
  hook_event_name: 'PreToolUse',
  model: 'm',
  permission_mode: 'default',
  tool_name: 'Bash',
  tool_input: { command: 'ls' },
  tool_use_id: 'call_1',
  ...more,
});
const recordedBash = (args: object = {}): RecordedCall => ({
  name: 'Bash',
  args: { cmd: 'ls', ...args },
  output: null,
  code: null,
});
const preparing = (more: object, record: RecordedCall | null) => {
  const input = decodeInput(bytesOf(payload(more)));
  return decodeCall(input, meantBy(input, record));
};

describe('recorded payloads', () => {
  test.each(all.map((one, at) => [`${at} ${one.label} ${String(one.in.tool_name ?? '')}`, one] as const))(
    '%s',
    (_name, one) => {
      const input = decodeInput(bytesOf(one.in));
      expect(input.event).toBe(one.label);
      if (!('tool_name' in one.in)) return;
      const call = decodeCall(input);
      expect(call.declared).toBe(!call.hostTool.startsWith('mcp__rec__'));
      expect(call.callId).toBe(one.in.tool_use_id);
    },
  );

  test('a command before it runs is joined with the session’s record', () => {
    const calls = recorded('codex', 'hooks-results.jsonl')
      .filter(({ label, in: { tool_name } }) => label === 'PreToolUse' && tool_name === 'Bash')
      .map(({ in: raw }) => {
        const input = decodeInput(bytesOf(raw));
        return decodeCall(input, meantBy(input, callIn(rollout, String(raw.tool_use_id))));
      });
    expect(calls.slice(0, 3)).toMatchObject([
      { command: 'echo hi > out.txt', cwd: '/home/dev/project/sub', background: true },
      { command: 'exit 3', cwd: '/home/dev/project' },
      { command: 'echo hi', cwd: '/nonexistent' },
    ]);
    expect(calls.slice(1).some(({ background }) => background)).toBe(false);
  });

  test('a subagent acts in its parent’s session', () => {
    const [call] = recorded('codex', 'hooks-subagent.jsonl')
      .filter(({ label, in: raw }) => label === 'PreToolUse' && raw.agent_id !== undefined)
      .map(({ in: raw }) => decodeCall(decodeInput(bytesOf(raw))));
    const [main] = recorded('codex', 'hooks-subagent.jsonl');
    expect(call).toMatchObject({ sessionId: main!.in.session_id, agentId: expect.stringMatching(/^01a1/) });
  });

  test('tools that steer are no changes; a foreign server’s are', () => {
    const kinds = Object.fromEntries(
      all
        .filter(({ label }) => label === 'PreToolUse')
        .map(({ in: raw }) => decodeCall(decodeInput(bytesOf(raw))))
        .map((call) => [call.hostTool, [call.kind, call.mutating]]),
    );
    expect(kinds).toEqual({
      Bash: ['execute', true],
      apply_patch: ['write', true],
      collaborationspawn_agent: ['control', false],
      collaborationwait_agent: ['control', false],
      mcp__rec__write_note: ['execute', true],
    });
  });
});

describe('patches', () => {
  test('name their files', () => {
    const command = '*** Begin Patch\n*** Update File: a\n*** Move to: b\n@@\n-x\n+y\n*** End Patch\n';
    expect(preparing({ tool_name: 'apply_patch', tool_input: { command } }, null).targets).toEqual([
      { path: 'a', role: 'move-from' },
      { path: 'b', role: 'move-to' },
    ]);
  });

  test.each([[{}], [{ command: 7 }], [{ command: 'rm -rf /' }], [{ command: '*** Begin Patch\n' }]])(
    '%j is refused',
    (tool_input) => {
      expect(() => preparing({ tool_name: 'apply_patch', tool_input }, null)).toThrow(PactError);
    },
  );
});

describe('what the hooks are not told of a command', () => {
  test('without a record it is refused', () => {
    expect(() => preparing({}, null)).toThrow('does not show this command');
    expect(() => preparing({}, recordedBash({ cmd: 'rm -rf /' }))).toThrow('does not show this command');
    expect(() => preparing({}, { ...recordedBash(), name: 'apply_patch' })).toThrow(PactError);
  });

  test('one with a terminal goes on after its check', () => {
    expect(preparing({}, recordedBash({ tty: true })).background).toBe(true);
    expect(preparing({}, recordedBash({ tty: false })).background).toBeUndefined();
  });

  test.each([
    ['bash', 'ls'],
    ['/bin/zsh', 'ls'],
    ['/usr/bin/bash', 'ls'],
    ['python3', 'python3 -c ls'],
    ['/ws/src/bash', '/ws/src/bash -c ls'],
    ['/tmp/a b', "'/tmp/a b' -c ls"],
  ])('shell %s: judged as %s', (shell, command) => {
    expect(preparing({}, recordedBash({ shell })).command).toBe(command);
  });

  test('the same command in another folder is another call, by another wait it is the same', () => {
    const plain = preparing({}, recordedBash()).identity;
    expect(preparing({ cwd: '/ws/' }, recordedBash({ yield_time_ms: 9 })).identity).toBe(plain);
    expect(preparing({ cwd: '/tmp' }, recordedBash()).identity).not.toBe(plain);
  });
});

describe('what cannot be decoded is an error, never a call', () => {
  test.each([
    ['nothing', ''],
    ['no JSON', '{'],
    ['a list', []],
    ['no session', payload({ session_id: undefined })],
    ['no event', payload({ hook_event_name: 7 })],
    ['no folder', payload({ cwd: undefined })],
  ])('%s', (_what, value) => {
    expect(() => decodeInput(bytesOf(value))).toThrow(PactError);
  });

  test.each([
    ['no tool', { tool_name: undefined }],
    ['an input that is a list', { tool_input: [] }],
    ['no command', { tool_input: {} }],
    ['a command that is no text', { tool_input: { command: ['ls'] } }],
    ['an image without a path', { tool_name: 'view_image', tool_input: { path: {} } }],
  ])('%s', (_what, more) => {
    expect(() => preparing(more, recordedBash())).toThrow(PactError);
  });

  test('no input gives anything but a PactError or a call', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom('Bash', 'apply_patch', 'x'), (tool_input, tool_name) => {
        try {
          expect(preparing({ tool_name, tool_input }, recordedBash()).hostTool).toBe(tool_name);
        } catch (error) {
          expect(error).toBeInstanceOf(PactError);
        }
      }),
    );
  });
});
