import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { PactError } from '../../../src/core/errors.ts';
import type { HookReply } from '../../../src/hosts/adapter.ts';
import { kiro as table } from '../../../src/hosts/kiro/host.ts';
import { adapterOf } from '../../../src/hosts/shared/hook-host.ts';
import { TestWorkspace } from '../../support/workspace.ts';
import { bytesOf } from '../support/recorded.ts';
import { expectWriteOrError } from '../support/undecodable.ts';

const kiro = adapterOf(table.hooks);
const decode = (bytes: Uint8Array) => table.hooks.callOf(table.hooks.decode(bytes, null));

const payload = (event: string, more: object, cwd = '/ws') =>
  bytesOf({ hook_event_name: event, session_id: 's1', cwd, ...more });
const call = (tool_name: string, tool_input: object) =>
  decode(payload('PreToolUse', { tool_name, tool_input }));

describe('calls', () => {
  const at = (path: string, role: string) => ({ path, role });
  test.each([
    ['fs_write', { command: 'create', path: 'a' }, 'file_write', 'write', [at('a', 'write')]],
    ['write', { operations: [{ path: 'a' }, { path: 'b' }] }, 'file_write', 'write', [at('a', 'write'), at('b', 'write')]], // biome-ignore format: one row a case
    ['str_replace', { path: 'a' }, 'patch', 'write', [at('a', 'write')]],
    ['fs_read', { operations: [{ mode: 'Line', path: 'a' }] }, 'file_read', 'read', [at('a', 'read')]],
    ['read_file', { path: 'a' }, 'file_read', 'read', [at('a', 'read')]],
    ['execute_bash', { command: 'ls' }, 'shell', 'execute', []],
    ['use_aws', { service_name: 's3' }, 'aws', 'execute', []],
    ['@other/x', { path: 'a' }, 'unknown:@other/x', 'execute', [at('a', 'write')]],
    ['@pactclaw/select_active_intent', { intent_id: 'A' }, 'select_active_intent', 'control', []],
  ])('%s %j', (name, args, tool, kind, targets) => {
    expect(call(name, args)).toMatchObject({ tool, kind, targets, unnamed: true });
  });

  test.each([
    ['fs_write', {}],
    ['fs_write', { operations: [] }],
    ['fs_write', { path: 'a', operations: [{ mode: 'x' }] }],
    ['fs_write', { path: 'a', operations: 'b' }],
    ['fs_read', { operations: [{ path: 7 }] }],
    ['shell', {}],
  ])('%s %j is refused', (name, args) => {
    expect(() => call(name, args)).toThrow(PactError);
  });

  test('no bytes at all give anything but a PactError or a call that names its tool', () => {
    const message = { hook_event_name: 'PreToolUse', session_id: 's', cwd: '/ws', tool_name: 'fs_write' };
    expectWriteOrError(decode, (tool_input) => ({ ...message, tool_input }));
  });
});

describe('a session', () => {
  let place: TestWorkspace;
  beforeEach(() => {
    place = new TestWorkspace([{ id: 'INT-001', budget: '{max_turns: 2}' }], ['src/secret.ts']);
  });
  afterEach(() => place[Symbol.dispose]());
  const fire = async (event: string, more: object = {}): Promise<HookReply> =>
    kiro.handle(await kiro.decode(payload(event, more, place.root), event), place.engine);
  const write = (file: string) => ({
    tool_name: 'fs_write',
    tool_input: { command: 'create', path: `${place.root}/${file}`, file_text: 'x\n' },
  });
  const begin = async () => {
    await fire('UserPromptSubmit', { prompt: 'go' });
    const handshake = { tool_name: '@pactclaw/select_active_intent', tool_input: { intent_id: 'INT-001' } };
    await fire('PreToolUse', handshake);
    await fire('PostToolUse', { ...handshake, tool_response: {} });
  };

  test('is refused before the handshake, and acts in scope after it', async () => {
    expect((await fire('UserPromptSubmit', { prompt: 'go' })).stdout).toContain('INT-001');
    const early = await fire('PreToolUse', write('src/components/a.ts'));
    expect(early).toMatchObject({ code: 2, stderr: expect.stringContaining('State Violation') });
    await begin();
    expect(await fire('PreToolUse', write('src/components/a.ts'))).toMatchObject({ stdout: '{}\n', code: 0 });
    place.put('src/components/a.ts', 'x\n');
    await fire('PostToolUse', { ...write('src/components/a.ts'), tool_response: {} });
    expect(place.trace()).toMatchObject([{ path: 'src/components/a.ts', host: { name: 'kiro' } }]);
    expect((await fire('PreToolUse', write('src/secret.ts'))).stderr).toContain('owned_scope');
  });

  test('each call counts as a turn', async () => {
    await begin();
    for (const file of ['a', 'b']) {
      expect((await fire('PreToolUse', write(`src/components/${file}.ts`))).code).toBe(0);
      await fire('PostToolUse', { ...write(`src/components/${file}.ts`), tool_response: {} });
    }
    expect((await fire('PreToolUse', write('src/components/c.ts'))).stderr).toContain('Budget Exhausted');
    expect(place.statusOf('INT-001')).toBe('BLOCKED');
  });

  test.each([
    [null, 2],
    ['PreToolUse', 2],
    ['UserPromptSubmit', 2],
    ['PostToolUse', 0],
    ['Stop', 0],
  ])('a failure at %s ends with %i', (event, code) => {
    expect(kiro.failed(event, 'broken')).toMatchObject({ code, stderr: 'broken\n' });
  });
});
