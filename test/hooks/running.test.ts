import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ToolCall } from '../../src/core/tool-call.ts';
import { type Agent, TestWorkspace } from '../support/workspace.ts';

/** Commands that their host has moved to the background: PostToolUse came, and they go on. */
let place: TestWorkspace;
let agent: Agent;
let command: ToolCall;

beforeEach(async () => {
  place = new TestWorkspace([{ id: 'INT-001' }], ['src/components/a.ts', 'src/secret.ts']);
  agent = place.agent('s1');
  await agent.begin('INT-001');
  command = agent.call(
    { tool: 'shell', kind: 'execute', command: 'python3 s.py' },
    { command: 'python3 s.py' },
  );
  expect((await agent.pre(command)).decision.verdict).toBe('allow');
});
afterEach(() => place[Symbol.dispose]());

const post = (stillRunning: boolean) =>
  place.engine.postToolUse({ ...agent.origin, call: command, ok: true, result: null, stillRunning });

describe('F-1: a command that goes on after its PostToolUse', () => {
  test('what it writes outside the scope later is undone at the next call, and that call is refused', async () => {
    expect((await post(true)).alarm).toBeNull();
    place.put('src/secret.ts', 'changed by the command\n');
    const { decision } = await agent.write('src/components/b.ts');
    expect(decision.refusal?.kind).toBe('state');
    expect(place.text('src/secret.ts')).toBe('before\n');
    expect(place.statusOf('INT-001')).toBe('BLOCKED');
  });

  test('the same at the end of a run, where the human is told', async () => {
    await post(true);
    place.put('src/secret.ts', 'changed by the command\n');
    expect((await place.engine.stop(agent.origin)).alarm).toContain('src/secret.ts');
    expect(place.text('src/secret.ts')).toBe('before\n');
  });

  test('a new request does not forget it', async () => {
    await post(true);
    await agent.prompt();
    place.put('src/secret.ts', 'changed by the command\n');
    expect((await agent.prompt()).alarm).toContain('src/secret.ts');
    expect(place.text('src/secret.ts')).toBe('before\n');
  });

  test('what it writes inside the scope is recorded as its work, each time it is found', async () => {
    await post(true);
    for (const text of ['one\n', 'two\n']) {
      place.put('src/components/log.ts', text);
      expect((await place.engine.stop(agent.origin)).alarm).toBeNull();
    }
    expect(place.trace().filter(({ path }) => path === 'src/components/log.ts')).toMatchObject([
      { mutation: 'create', intent_id: 'INT-001' },
      { mutation: 'modify', intent_id: 'INT-001' },
    ]);
  });

  test('what the agent writes meanwhile is not taken for its work', async () => {
    await post(true);
    expect((await agent.write('src/components/b.ts')).decision.verdict).toBe('allow');
    expect((await agent.write('src/components/c.ts')).decision.verdict).toBe('allow');
    expect(place.trace().filter(({ path }) => path !== null)).toHaveLength(2);
  });

  test('nothing found is nothing recorded', async () => {
    await post(true);
    const before = place.receipts().length;
    await place.engine.stop(agent.origin);
    expect(place.receipts()).toHaveLength(before + 1);
  });

  test('its end is an end', async () => {
    await post(true);
    expect((await post(false)).alarm).toBeNull();
    place.put('src/secret.ts', 'by a human\n');
    expect((await place.engine.stop(agent.origin)).alarm).toBeNull();
    expect(place.text('src/secret.ts')).toBe('by a human\n');
  });
});
