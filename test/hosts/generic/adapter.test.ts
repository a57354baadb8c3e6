import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { generic } from '../../../src/hosts/generic/adapter.ts';
import type { GenericAnswer } from '../../../src/hosts/generic/contract.ts';
import { TestWorkspace } from '../../support/workspace.ts';

let place: TestWorkspace;
beforeEach(() => {
  place = new TestWorkspace([{ id: 'INT-001' }], ['src/components/a.ts']);
});
afterEach(() => place[Symbol.dispose]());

const bytes = (value: unknown) => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));
const message = (event: string, more: object = {}) => ({
  contract: 'pactclaw.hook/1',
  event,
  session_id: 's1',
  cwd: place.root,
  ...more,
});
const send = async (event: string, more: object = {}) => {
  const reply = await generic.handle(await generic.decode(bytes(message(event, more)), null), place.engine);
  return { ...reply, answer: JSON.parse(reply.stdout) as GenericAnswer };
};
const handshake = { id: 'h', tool: 'select_active_intent', args: { intent_id: 'INT-001' } };
const save = (path: string, id = path) => ({
  call: { id, tool: 'save', kind: 'write', targets: [{ path, role: 'write' }] },
});

test('a session from its start to its end', async () => {
  expect((await send('session_start')).answer).toMatchObject({ verdict: 'none' });
  expect((await send('user_prompt')).answer.context).toContain('INT-001');
  const early = await send('pre_tool_use', save('src/components/a.ts', 'early'));
  expect(early).toMatchObject({ code: 2, answer: { verdict: 'deny', rule: 'state' } });
  expect(early.stderr).toContain('State Violation: Reasoning Intercept Required');
  expect((await send('pre_tool_use', { call: handshake })).answer.handshake).toMatchObject({
    owned_scope: ['src/components/**'],
  });
  expect((await send('post_tool_use', { call: handshake })).answer.context).toContain('INT-001');
  expect(await send('pre_tool_use', save('src/components/a.ts'))).toMatchObject({
    code: 0,
    answer: { verdict: 'allow' },
  });
  place.put('src/components/a.ts', 'new\n');
  await send('post_tool_use', save('src/components/a.ts'));
  expect(place.trace()).toMatchObject([{ path: 'src/components/a.ts', mutation: 'modify' }]);
  expect((await send('pre_tool_use', save('README.md'))).answer).toMatchObject({ rule: 'scope' });
  const usage = { turns: 2, tokens: 30 };
  expect((await send('stop', { usage })).answer).toMatchObject({ verdict: 'none' });
  expect(place.usage('INT-001')).toMatchObject({ tokens: 30 });
});

describe('a tool is what it may do, not what it is called', () => {
  beforeEach(async () => {
    await send('user_prompt');
    await send('pre_tool_use', { call: handshake });
    await send('post_tool_use', { call: handshake });
  });

  test.each<[string, object]>([
    [
      'a reader that names a file for writing',
      { tool: 't', kind: 'read', targets: [{ path: 'x', role: 'write' }] },
    ],
    [
      'a control tool that changes something',
      { tool: 't', kind: 'control', mutating: true, targets: [{ path: 'x', role: 'delete' }] },
    ],
    ['an undeclared tool whose arguments name one', { tool: 't', args: { deep: [{ file: 'x' }] } }],
    [
      'an undeclared tool that is said to name another',
      { tool: 't', targets: [{ path: 'src/components/a.ts', role: 'write' }], args: { path: 'x' } },
    ],
    ['a writer without a file', { tool: 't', kind: 'write' }],
    ['a command that writes outside', { tool: 't', kind: 'execute', command: 'echo > x' }],
  ])('%s is refused', async (_what, call) => {
    expect((await send('pre_tool_use', { call })).answer).toMatchObject({ verdict: 'deny', rule: 'scope' });
  });
});

describe('what does not fit the contract is said in one line', () => {
  test.each<[unknown, string]>([
    ['', 'it is empty'],
    ['{', 'it is not JSON'],
    ['[]', 'it is not a JSON object'],
    [{ contract: 'pactclaw.hook/2' }, 'contract: '],
    [{ event: 'wish' }, 'event: '],
    [{ cwd: 'relative' }, 'cwd: it is not an absolute path'],
    [{ session_id: '' }, 'session_id: it is not an identifier'],
    [{ targts: [] }, 'targts'],
    [{ event: 'pre_tool_use' }, 'call: this event needs the call'],
    [{ call: { tool: 't', kind: 'execute' } }, 'call.command: a tool of kind execute names its command'],
    [
      { call: { tool: 't', kind: 'write', mutating: false } },
      'call.mutating: a tool of this kind changes something',
    ],
    [{ usage: { tokens: -1 } }, 'usage.tokens: '],
  ])('%j: %s', async (value, why) => {
    const given = typeof value === 'string' ? value : { ...message('user_prompt'), ...(value as object) };
    const failure = await Promise.resolve()
      .then(() => generic.decode(bytes(given), null))
      .then(
        () => null,
        (error: unknown) => error as Error & { remedy: string },
      );
    expect(failure?.message).toContain(why);
    expect(failure?.message).not.toContain('\n');
    expect(failure?.remedy).toContain('docs/generic-hook.md');
  });

  test('nested too deeply', async () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const text = JSON.stringify(message('pre_tool_use', { call: { tool: 't', args: { a: 0 } } })).replace(
      ':0}',
      `:${deep}}`,
    );
    await expect(generic.decode(bytes(text), null)).rejects.toThrow('nested too deeply');
  });
});
