import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import type { ToolCall } from '../../src/core/tool-call.ts';
import { asDecoded, unnamedId } from '../../src/core/unnamed.ts';
import { type Agent, TestWorkspace } from '../support/workspace.ts';

let place: TestWorkspace;
let agent: Agent;
beforeEach(async () => {
  place = new TestWorkspace([{ id: 'INT-001' }], ['src/secret.ts']);
  agent = place.agent('s1');
  await agent.begin('INT-001');
});
afterEach(() => place[Symbol.dispose]());

/** A call as an adapter decodes it whose host gives no ids. */
function unnamed(tool: string, args: JsonObject, more: Partial<ToolCall> = {}): ToolCall {
  return agent.call({ tool, callId: unnamedId(tool, args), unnamed: true, ...more }, args);
}
const shell = (command: string) => unnamed('shell', { command }, { kind: 'execute', command });
const write = (file: string, content: string) =>
  unnamed('file_write', { file, content }, { targets: [{ path: file, role: 'write' }] });

/** Receipts of attempts, each with how many outcomes name it. */
function outcomes(): number[] {
  const receipts = place.receipts();
  return receipts
    .filter(
      ({ phase, status, call_id }) =>
        phase === 'pre' && status === 'allowed' && call_id?.startsWith('unnamed'),
    )
    .map(({ id }) => receipts.filter(({ receipt_of }) => receipt_of === id).length);
}

test('the id says the tool and the arguments, and what the engine appends is taken off again', () => {
  const id = unnamedId('shell', { command: 'ls' });
  expect(unnamedId('shell', { command: 'ls' })).toBe(id);
  expect(unnamedId('shell', { command: 'ls ' })).not.toBe(id);
  expect(unnamedId('shel', { command: 'ls' })).not.toBe(id);
  expect(asDecoded({ callId: `${id}:0011223344556677`, unnamed: true })).toBe(id);
  expect(asDecoded({ callId: 'a:b:c:d' })).toBe('a:b:c:d');
});

describe('calls without ids that are in flight at once', () => {
  test('two different ones: each outcome goes to its own attempt', async () => {
    const [one, two] = [write('src/components/a.ts', 'a\n'), write('src/components/b.ts', 'b\n')];
    await agent.pre(one);
    await agent.pre(two);
    place.put('src/components/b.ts', 'b\n');
    await agent.post(two);
    place.put('src/components/a.ts', 'a\n');
    await agent.post(one);
    expect(place.trace().map(({ path }) => path)).toEqual(['src/components/b.ts', 'src/components/a.ts']);
    expect(outcomes()).toEqual([1, 1]);
  });

  test('two equal ones: both are watched and both end', async () => {
    const call = shell('node build.js');
    expect((await agent.pre(call)).decision.verdict).toBe('allow');
    expect((await agent.pre(call)).decision.verdict).toBe('allow');
    place.put('src/components/a.ts', 'built\n');
    const ends = await Promise.all([agent.post(call), agent.post(call)]);
    expect(ends.map(({ alarm }) => alarm)).toEqual([null, null]);
    expect(outcomes()).toEqual([1, 1]);
    expect(agent.state).toBe('CONTEXTUALIZED_ACTION');
  });

  test('equal ones one after the other work, until the breaker trips', async () => {
    const verdicts: string[] = [];
    for (let round = 1; round <= 4; round += 1)
      verdicts.push((await agent.use(shell('node build.js'))).decision.verdict);
    expect(verdicts).toEqual(['allow', 'allow', 'allow', 'halt']);
    expect(outcomes()).toEqual([1, 1, 1]);
  });
});

describe('an outcome whose arguments are other than at the attempt', () => {
  test('goes to the call of the same tool', async () => {
    await agent.pre(write('src/components/a.ts', 'by the agent\n'));
    place.put('src/components/a.ts', 'as the human edited it\n');
    await agent.post(write('src/components/a.ts', 'as the human edited it\n'));
    expect(place.trace().map(({ path }) => path)).toEqual(['src/components/a.ts']);
    expect(outcomes()).toEqual([1]);
  });

  test('of a command: what it changed is still found and undone', async () => {
    await agent.pre(shell('node x.js'));
    place.put('src/secret.ts', 'changed\n');
    const { alarm } = await agent.post(shell('node x.js --more'));
    expect(alarm).toContain('src/secret.ts');
    expect(place.text('src/secret.ts')).toBe('before\n');
  });
});

describe('a command that plays the host', () => {
  test('and begins its own call again cannot hide what it changed', async () => {
    const call = shell('node x.js');
    await agent.pre(call);
    place.put('src/secret.ts', 'changed\n');
    await agent.pre(call);
    const { alarm } = await agent.post(call);
    expect(alarm).toContain('src/secret.ts');
    expect(place.text('src/secret.ts')).toBe('before\n');
  });

  test('and ends its own call early halts the session when it really ends', async () => {
    const call = shell('node x.js');
    await agent.pre(call);
    await agent.post(call);
    place.put('src/secret.ts', 'changed\n');
    const { alarm } = await agent.post(call);
    expect(alarm).toContain('could not be checked');
    expect(agent.state).toBe('HALTED');
  });
});
