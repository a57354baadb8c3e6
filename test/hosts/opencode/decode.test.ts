import fs from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PactError } from '../../../src/core/errors.ts';
import type { JsonObject } from '../../../src/core/json.ts';
import { callAfter, callBefore, callFailed, responseOf } from '../../../src/hosts/opencode/decode.ts';
import { pluginEvent } from '../../../src/hosts/shared/in-process/message.ts';

const bytes = (value: unknown) => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));
const sent = (more: object = {}) => ({
  hook: 'tool.execute.before',
  session: 's1',
  agent: null,
  cwd: '/ws',
  ...more,
});
const decode = (tool: string, args: unknown) =>
  callBefore(pluginEvent('opencode', bytes(sent({ input: { tool, callID: 'c1' }, output: { args } }))));

interface Recorded {
  readonly h: string;
  readonly i: JsonObject;
  readonly o: JsonObject;
}
const recorded = fs
  .readFileSync(new URL('../../../fixtures/hosts/opencode/plugin-hooks.jsonl', import.meta.url), 'utf8')
  .split('\n')
  .filter(Boolean)
  .map((line) => JSON.parse(line) as Recorded);
const events = (hook: string) =>
  recorded
    .filter(({ h }) => h === hook)
    .map(({ i, o }) => pluginEvent('opencode', bytes(sent({ hook, input: i, output: o }))));

describe('recorded calls', () => {
  test('are read before they run', () => {
    expect(
      events('tool.execute.before').map((event) => {
        const { tool, kind, mutating, declared, targets, command } = callBefore(event);
        return { tool, kind, mutating, declared, targets: targets.map(({ role }) => role), command };
      }),
    ).toEqual([
      {
        tool: 'shell',
        kind: 'execute',
        mutating: true,
        declared: true,
        targets: [],
        command: 'echo hi > /home/dev/project/out.txt',
      },
      {
        tool: 'file_write',
        kind: 'write',
        mutating: true,
        declared: true,
        targets: ['write'],
        command: undefined,
      },
      {
        tool: 'file_read',
        kind: 'read',
        mutating: false,
        declared: true,
        targets: ['read'],
        command: undefined,
      },
      {
        tool: 'patch',
        kind: 'write',
        mutating: true,
        declared: true,
        targets: ['write'],
        command: undefined,
      },
      { tool: 'shell', kind: 'execute', mutating: true, declared: true, targets: [], command: 'exit 3' },
      {
        tool: 'unknown:rec_write_note',
        kind: 'execute',
        mutating: true,
        declared: false,
        targets: [],
        command: undefined,
      },
      { tool: 'agent', kind: 'control', mutating: false, declared: true, targets: [], command: undefined },
      {
        tool: 'shell',
        kind: 'execute',
        mutating: true,
        declared: true,
        targets: [],
        command: 'touch /home/dev/project/subfile',
      },
    ]);
  });

  test('are the same calls when they have ended; a command with another code than 0 failed', () => {
    const ends = events('tool.execute.after').map(callAfter);
    expect(ends.map(({ ok }) => ok)).toEqual([true, true, true, true, false, true, true, true]);
    const byId = (calls: { callId: string; identity: string }[]) =>
      calls.map(({ callId, identity }) => `${callId} ${identity}`).sort();
    expect(byId(ends.map(({ call }) => call))).toEqual(byId(events('tool.execute.before').map(callBefore)));
  });

  test('responses tell their tokens and model', () => {
    const infos = recorded.flatMap(({ i }) => {
      const { info } = (i.properties ?? {}) as { info?: JsonObject };
      return i.type === 'message.updated' && info ? [info] : [];
    });
    expect(infos.length).toBeGreaterThan(0);
    for (const info of infos) expect(responseOf(info)).toMatchObject({ model: 'mock-model' });
    expect(
      responseOf({ tokens: { input: 5, output: 3, reasoning: 2, cache: { read: 90, write: 7 } } }),
    ).toEqual({ tokens: 17, model: null });
    expect(responseOf({ tokens: { input: -5, output: 'x', cache: null } })).toEqual({
      tokens: 0,
      model: null,
    });
  });
});

describe('calls', () => {
  test('a command’s folder is where its relative paths start', () => {
    expect(decode('bash', { command: 'ls', workdir: 'src' }).cwd).toBe('/ws/src');
    expect(decode('bash', { command: 'ls', workdir: '/etc' }).cwd).toBe('/etc');
    expect(decode('bash', { command: 'ls' }).cwd).toBe('/ws');
    expect(decode('write', { filePath: 'a', workdir: 'src' }).cwd).toBe('/ws');
  });

  test('a note to the human makes no other call, a folder does', () => {
    const one = decode('bash', { command: 'ls', description: 'a' }).identity;
    expect(decode('bash', { command: 'ls', description: 'b' }).identity).toBe(one);
    expect(decode('bash', { command: 'ls', workdir: 'src' }).identity).not.toBe(one);
  });

  test('a call that threw is told by its part', () => {
    const part = {
      tool: 'edit',
      callID: 'c9',
      state: { status: 'error', input: { filePath: 'a' }, error: 'no' },
    };
    const event = pluginEvent('opencode', bytes(sent({ hook: 'event', agent: 'ses_child' })));
    expect(callFailed(event, part)).toMatchObject({
      ok: false,
      result: 'no',
      call: { callId: 'c9', tool: 'patch', agentId: 'ses_child' },
    });
  });

  test.each([
    ['write', {}],
    ['write', { filePath: ['a'] }],
    ['edit', { filePath: '' }],
    ['read', { filePath: 7 }],
    ['bash', {}],
    ['bash', { command: ['ls'] }],
    ['apply_patch', {}],
    ['apply_patch', { patchText: 'nothing' }],
    ['', {}],
    ['write', []],
    ['write', 'x'],
  ])('%s with %j cannot be read', (tool, args) => {
    expect(() => decode(tool, args)).toThrow(PactError);
  });

  test.each(['why', 'list_active_intents', 'server_select_active_intent', 'Write'])(
    '%s is nobody’s declared tool',
    (tool) => {
      expect(decode(tool, {})).toMatchObject({ declared: false, mutating: true });
    },
  );
});

describe('what is no event of our plugin', () => {
  test.each([
    ['', 'it is empty'],
    ['{', 'it is not JSON'],
    ['[]', 'it is not a JSON object'],
    [sent({ hook: undefined }), 'hook is missing'],
    [sent({ session: '' }), 'session is missing'],
    [sent({ session: 'x'.repeat(257) }), 'session is not an identifier'],
    [sent({ cwd: 'relative' }), 'cwd is not an absolute path'],
    [sent({ input: [] }), 'input is not an object'],
    [sent({ output: 7 }), 'output is not an object'],
    [sent({ responses: {} }), 'responses is not a list'],
    [sent({ agent: 'x'.repeat(300) }), 'agent is not an identifier'],
  ])('%j: %s', (value, why) => {
    expect(() => pluginEvent('opencode', bytes(value))).toThrow(why);
  });

  test('no bytes give anything but a PactError or a call', () => {
    fc.assert(
      fc.property(fc.string(), fc.jsonValue(), fc.jsonValue(), (tool, input, args) => {
        try {
          const event = pluginEvent(
            'opencode',
            bytes(sent({ input: { tool, callID: 'c', ...(input as object) }, output: { args } })),
          );
          expect(callBefore(event).hostTool.length).toBeLessThanOrEqual(256);
        } catch (error) {
          expect(error).toBeInstanceOf(PactError);
        }
      }),
    );
  });
});
