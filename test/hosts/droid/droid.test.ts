import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { PactError } from '../../../src/core/errors.ts';
import type { HookReply } from '../../../src/hosts/adapter.ts';
import { droid as table } from '../../../src/hosts/droid/host.ts';
import { adapterOf } from '../../../src/hosts/shared/hook-host.ts';
import { TestWorkspace } from '../../support/workspace.ts';

const droid = adapterOf(table.hooks);
const decode = (bytes: Uint8Array) => table.hooks.callOf(table.hooks.decode(bytes, null));

const payload = (event: string, more: object, cwd = '/ws') =>
  Buffer.from(
    JSON.stringify({ hook_event_name: event, session_id: 's1', cwd, transcript_path: '', ...more }),
  );
const call = (tool_name: string, tool_input: object) =>
  decode(payload('PreToolUse', { tool_name, tool_input }));

describe('calls', () => {
  const at = (path: string, role: string) => ({ path, role });
  const patched = '*** Begin Patch\n*** Add File: b.ts\n+x\n*** Delete File: c.ts\n*** End Patch\n';
  test.each([
    ['Create', { file_path: 'a' }, 'file_write', 'write', [at('a', 'write')]],
    ['Edit', { file_path: 'a', changes: [] }, 'patch', 'write', [at('a', 'write')]],
    ['ApplyPatch', { input: patched }, 'patch', 'write', [at('b.ts', 'write'), at('c.ts', 'delete')]],
    ['Read', { file_path: 'a' }, 'file_read', 'read', [at('a', 'read')]],
    ['Execute', { command: 'ls' }, 'shell', 'execute', []],
    ['Script', { code: 'x' }, 'script', 'execute', []],
    ['FetchUrl', { url: 'https://x' }, 'http', 'network', []],
    ['Invented', { path: 'a' }, 'unknown:Invented', 'execute', [at('a', 'write')]],
    ['mcp__pactclaw__select_active_intent', { intent_id: 'A' }, 'select_active_intent', 'control', []],
  ])('%s %j', (name, args, tool, kind, targets) => {
    expect(call(name, args)).toMatchObject({ tool, kind, targets, unnamed: true });
  });

  test.each([
    ['Create', {}],
    ['Execute', {}],
    ['ApplyPatch', { input: 'no patch' }],
    ['StageSettingsChanges', { changes: {} }],
  ])('%s %j is refused', (name, args) => {
    expect(() => call(name, args)).toThrow(PactError);
  });
});

describe('a session', () => {
  let place: TestWorkspace;
  beforeEach(() => {
    place = new TestWorkspace([{ id: 'INT-001', budget: '{max_turns: 2}' }], ['src/secret.ts']);
  });
  afterEach(() => place[Symbol.dispose]());
  const fire = async (event: string, more: object = {}): Promise<HookReply> =>
    droid.handle(await droid.decode(payload(event, more, place.root), event), place.engine);
  const create = (file: string) => ({
    tool_name: 'Create',
    tool_input: { file_path: `${place.root}/${file}`, content: 'x\n' },
  });
  const begin = async () => {
    await fire('UserPromptSubmit', { prompt: 'go' });
    const handshake = {
      tool_name: 'mcp__pactclaw__select_active_intent',
      tool_input: { intent_id: 'INT-001' },
    };
    await fire('PreToolUse', handshake);
    await fire('PostToolUse', { ...handshake, tool_response: {} });
  };

  test('is refused before the handshake in every form, and acts in scope after it', async () => {
    await fire('UserPromptSubmit', { prompt: 'go' });
    const early = await fire('PreToolUse', create('src/components/a.ts'));
    expect(early).toMatchObject({ code: 2, stderr: expect.stringContaining('State Violation') });
    expect(JSON.parse(early.stdout).hookSpecificOutput.permissionDecision).toBe('deny');
    await begin();
    expect(await fire('PreToolUse', create('src/components/a.ts'))).toMatchObject({
      stdout: '{}\n',
      code: 0,
    });
    place.put('src/components/a.ts', 'x\n');
    await fire('PostToolUse', { ...create('src/components/a.ts'), tool_response: {} });
    expect(place.trace()).toMatchObject([{ path: 'src/components/a.ts', host: { name: 'droid' } }]);
    expect((await fire('PreToolUse', create('src/secret.ts'))).stderr).toContain('owned_scope');
  });

  test('each call counts as a turn', async () => {
    await begin();
    for (const file of ['a', 'b']) {
      expect((await fire('PreToolUse', create(`src/components/${file}.ts`))).code).toBe(0);
      await fire('PostToolUse', { ...create(`src/components/${file}.ts`), tool_response: {} });
    }
    expect((await fire('PreToolUse', create('src/components/c.ts'))).stderr).toContain('Budget Exhausted');
    expect(place.statusOf('INT-001')).toBe('BLOCKED');
  });

  test.each([
    [null, 2],
    ['PreToolUse', 2],
    ['UserPromptSubmit', 2],
    ['PostToolUse', 0],
    ['Stop', 0],
    ['SessionEnd', 0],
  ])('a failure at %s ends with %i', (event, code) => {
    const reply = droid.failed(event, 'broken');
    expect(reply.code).toBe(code);
    expect(reply.stdout).toContain('broken');
  });
});
