import fs from 'node:fs';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { PactError } from '../../../src/core/errors.ts';
import type { JsonObject } from '../../../src/core/json.ts';
import type { ToolCall } from '../../../src/core/tool-call.ts';
import { decodeCall, endOf, responseOf } from '../../../src/hosts/pi/decode.ts';
import { pluginEvent } from '../../../src/hosts/shared/in-process/message.ts';

const event = (input: object) =>
  pluginEvent('pi', Buffer.from(JSON.stringify({ hook: 'tool_call', session: 's', cwd: '/ws', input })));
const decode = (toolName: unknown, input: unknown) => decodeCall(event({ toolName, toolCallId: 'c', input }));
const home = process.env.HOME;
beforeEach(() => {
  process.env.HOME = '/home/ada';
});
afterEach(() => {
  process.env.HOME = home;
});

test.each([
  [
    'read',
    { path: 'a' },
    { tool: 'file_read', kind: 'read', mutating: false, targets: [{ path: 'a', role: 'read' }] },
  ],
  ['ls', {}, { tool: 'file_list', kind: 'read', mutating: false, targets: [] }],
  [
    'write',
    { path: 'a', content: '' },
    { tool: 'file_write', mutating: true, targets: [{ path: 'a', role: 'write' }] },
  ],
  [
    'edit',
    { path: 'a', edits: [] },
    { tool: 'patch', mutating: true, targets: [{ path: 'a', role: 'write' }] },
  ],
  ['bash', { command: 'ls' }, { tool: 'shell', kind: 'execute', command: 'ls' }],
  [
    'select_active_intent',
    { intent_id: 'X' },
    { tool: 'select_active_intent', mutating: false, declared: true },
  ],
  [
    'subagent',
    { path: 'a' },
    { tool: 'unknown:subagent', declared: false, mutating: true, targets: [{ path: 'a', role: 'write' }] },
  ],
])('%s %j', (tool, input, call) => {
  expect(decode(tool, input)).toMatchObject({ ...call, callId: 'c', cwd: '/ws' });
});

const recorded = fs
  .readFileSync(new URL('../../../fixtures/hosts/pi/extension-events.jsonl', import.meta.url), 'utf8')
  .split('\n')
  .filter(Boolean)
  .map((line) => JSON.parse(line) as { event: string; in: JsonObject });
const of = (name: string) => recorded.filter((one) => one.event === name).map((one) => event(one.in));

test('recorded calls, before and after they ran', () => {
  const calls = of('tool_call').map(decodeCall);
  expect(calls.map(({ tool, targets }) => `${tool} ${targets.map(({ path }) => path).join()}`)).toEqual([
    'shell ',
    'shell ',
    'file_write /home/dev/project/src/components/a.txt',
    'file_read /home/dev/project/src/components/a.txt',
    'patch /home/dev/project/src/components/a.txt',
    'patch /home/dev/project/src/components/a.txt',
    'file_write src/components/b.txt',
    'shell ',
  ]);
  const same = (list: ToolCall[]) => list.map(({ callId, identity }) => `${callId} ${identity}`).sort();
  expect(same(of('tool_result').map(decodeCall))).toEqual(same(calls));
  expect(of('tool_result').map((one) => endOf(one).ok)).toEqual([
    true,
    false,
    true,
    true,
    true,
    false,
    true,
    true,
  ]);
  const responses = recorded
    .filter((one) => one.event === 'turn_end')
    .map((one) => one.in.message as JsonObject);
  for (const response of responses)
    expect(responseOf(response)).toEqual({ tokens: 120, model: 'mock-model' });
});

/** What the client does with a path before it opens it (its path-utils). */
test.each([
  ['@src/a', 'src/a'],
  ['@@a', '@a'],
  ['~/x', '/home/ada/x'],
  ['@~/x', '/home/ada/x'],
  ['~', '/home/ada'],
  ['~ada/x', '~ada/x'],
  ['a\u00a0b\u202fc\u3000d', 'a b c d'],
])('the path %j is %j', (path, read) => {
  expect(decode('write', { path }).targets).toEqual([{ path: read, role: 'write' }]);
});

describe('what cannot be read is an error, never a call', () => {
  test.each([
    ['write', {}],
    ['write', { path: ['a'] }],
    ['edit', { path: '' }],
    ['read', { path: 7 }],
    ['bash', {}],
    ['bash', { command: null }],
    ['', {}],
    [7, {}],
    ['write', []],
    ['write', null],
  ])('%s %j', (tool, input) => {
    expect(() => decode(tool, input)).toThrow(PactError);
  });

  test('anything', () => {
    fc.assert(
      fc.property(fc.string(), fc.jsonValue(), (tool, input) => {
        try {
          expect(decode(tool, input).callId).toBe('c');
        } catch (error) {
          expect(error).toBeInstanceOf(PactError);
        }
      }),
    );
  });
});

test('ends and responses', () => {
  expect(endOf(event({ isError: true, content: [] }))).toEqual({ ok: false, result: [] });
  expect(endOf(event({}))).toEqual({ ok: true, result: null });
  const usage = { input: 5, output: 2, cacheRead: 100, cacheWrite: 3, totalTokens: 110 };
  expect(responseOf({ model: 'm', usage })).toEqual({ tokens: 10, model: 'm' });
  expect(responseOf({ usage: null })).toEqual({ tokens: 0, model: null });
});
