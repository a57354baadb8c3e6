import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { decide } from '../../../src/core/decide.ts';
import { PactError } from '../../../src/core/errors.ts';
import type { HookEngine } from '../../../src/hooks/engine.ts';
import { INSTALLED_RULES } from '../../../src/hooks/pipeline.ts';
import { adapterOf } from '../../../src/hosts/shared/hook-host.ts';
import { installerOf } from '../../../src/hosts/shared/install/table-installer.ts';
import { decodeCall, decodeInput } from '../../../src/hosts/windsurf/decode.ts';
import { windsurf as table } from '../../../src/hosts/windsurf/host.ts';
import { facts } from '../../support/facts.ts';
import { ScratchMachine } from '../support/installed.ts';
import { bytesOf, recorded } from '../support/recorded.ts';

const windsurf = adapterOf(table.hooks);
const windsurfInstaller = installerOf(table);
const EVENTS = Object.keys(table.hooks.events);
const all = recorded('windsurf', 'hooks.jsonl');
const payload = (event: string, info: unknown, more: object = {}) => ({
  agent_action_name: event,
  trajectory_id: 't',
  tool_info: info,
  ...more,
});
const decode = (event: string, info: unknown) => decodeCall(decodeInput(bytesOf(payload(event, info))));

describe('decoding', () => {
  test.each(all.map((one) => [one.label, one] as const))('%s', (label, one) => {
    const input = decodeInput(bytesOf(one.in));
    expect(EVENTS).toContain(input.event);
    if (!/prompt|response/.test(label)) expect(decodeCall(input).sessionId).toBe('t-1');
  });

  test('an action and its end are joined by what it does, whatever the end carries besides', () => {
    const ids = (phase: string) =>
      all
        .filter(({ label }) => label.startsWith(phase) && !/prompt|response/.test(label))
        .map((one) => decodeCall(decodeInput(bytesOf(one.in))).callId);
    expect(ids('post_')).toEqual(ids('pre_'));
    expect(new Set(ids('pre_')).size).toBe(5);
  });

  test('control characters that stand raw in a string are read', () => {
    const raw =
      '{"agent_action_name":"pre_run_command",\n"trajectory_id":"t","tool_info":{"command_line":"a\n\tb \\"c\\"\u0001"}}';
    expect(decodeCall(decodeInput(Buffer.from(raw))).command).toBe('a\n\tb "c"\u0001');
  });

  test.each([
    ['pre_write_code', { file_path: '/w/a', edits: [] }, 'file_write', true],
    ['pre_read_code', { file_path: '/w' }, 'file_read', false],
    ['pre_run_command', { command_line: 'ls' }, 'shell', true],
    ['pre_mcp_tool_use', { mcp_server_name: 'pactclaw', mcp_tool_name: 'why' }, 'why', false],
    ['pre_mcp_tool_use', { mcp_server_name: 'x', mcp_tool_name: 'why' }, 'unknown:x/why', true],
    ['pre_mcp_tool_use', { mcp_server_name: 'pactclaw', mcp_tool_name: 'x' }, 'unknown:pactclaw/x', true],
  ])('%s %j', (event, info, tool, mutating) => {
    expect(decode(event, info)).toMatchObject({ tool, mutating });
  });

  test.each([
    ['pre_write_code', {}],
    ['pre_run_command', { command_line: ['ls'] }],
    ['pre_mcp_tool_use', { mcp_tool_name: 'x' }],
    ['pre_mcp_tool_use', { mcp_server_name: 'x', mcp_tool_name: 'y', mcp_tool_arguments: 'z' }],
    ['pre_write_code', []],
    ['pre_browse', {}],
  ])('%s %j cannot be read', (event, info) => {
    expect(() => decode(event, info)).toThrow(PactError);
  });

  test.each([[''], ['{'], ['{"a":"\u0001'], [payload('', {})], [{ agent_action_name: 'pre_run_command' }]])(
    '%j is no event',
    (value) => {
      expect(() => decodeInput(bytesOf(value))).toThrow(PactError);
    },
  );
});

describe('answers', () => {
  const engine = (refuses: boolean) =>
    ({
      preToolUse: () =>
        Promise.resolve({
          decision: decide(refuses ? facts({ estop: '/x' }) : facts(), INSTALLED_RULES),
          text: refuses ? 'No.' : null,
        }),
      postToolUse: () => Promise.resolve({ context: 'c', alarm: 'Alarm' }),
      userPrompt: () => Promise.resolve({ context: 'c', alarm: null }),
      stop: () => Promise.resolve({ context: null, alarm: null }),
    }) as unknown as HookEngine;
  const fire = (label: string, refuses: boolean) =>
    windsurf.handle(decodeInput(bytesOf(all.find((one) => one.label === label)!.in)), engine(refuses));

  test.each(EVENTS.filter((event) => /^pre_(?!user)/.test(event)).map((event) => [event]))(
    '%s',
    async (event) => {
      expect(await fire(event, true)).toEqual({ stdout: '{}\n', stderr: 'No.\n', code: 2 });
      expect(await fire(event, false)).toEqual({ stdout: '{}\n', stderr: '', code: 0 });
    },
  );

  test('what has happened already is told, never refused', async () => {
    expect(await fire('post_run_command', false)).toEqual({ stdout: '{}\n', stderr: 'Alarm\n', code: 0 });
    expect(await fire('pre_user_prompt', false)).toMatchObject({ code: 0 });
  });

  test.each([null, ...EVENTS].map((event) => [event]))('a failure of ours at %s', (event) => {
    const before = event === null || event.startsWith('pre_');
    expect(windsurf.failed(event, 'why')).toEqual({ stdout: '{}\n', stderr: 'why\n', code: before ? 2 : 0 });
  });
});

describe('installation', () => {
  let machine: ScratchMachine;
  beforeEach(() => {
    machine = new ScratchMachine();
  });
  afterEach(() => machine.remove());

  test('every event is registered, and what decides is guarded', () => {
    machine.install(windsurfInstaller, 'project');
    const { hooks } = machine.json('project/.windsurf/hooks.json') as {
      hooks: Record<string, { command: string }[]>;
    };
    expect(Object.keys(hooks).toSorted()).toEqual(EVENTS.toSorted());
    for (const event of EVENTS)
      expect(hooks[event]?.at(-1)?.command.startsWith('/bin/sh -c ')).toBe(event.startsWith('pre_'));
  });
});
