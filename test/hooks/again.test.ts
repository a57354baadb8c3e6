import { copyFileSync, existsSync, rmSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import type { ToolCall } from '../../src/core/tool-call.ts';
import { unnamedId } from '../../src/core/unnamed.ts';
import { HANDSHAKE_TOOL } from '../../src/core/words.ts';
import { createEngine, type HookEngine } from '../../src/hooks/engine.ts';
import { type Agent, TestWorkspace } from '../support/workspace.ts';

/** The resident engine was given an event and was killed: the process that comes after it looks at what is on record. */
let place: TestWorkspace;
let agent: Agent;
let after: HookEngine;
beforeEach(async () => {
  place = new TestWorkspace([{ id: 'INT-001' }], ['src/components/a.ts', 'src/secret.ts']);
  agent = place.agent('s1');
  await agent.begin('INT-001');
  after = createEngine({ ...place.workspace, again: true });
});
afterEach(() => place[Symbol.dispose]());

const FILE = 'src/components/a.ts';
const write = (file = FILE, more: Partial<ToolCall> = {}) =>
  agent.call({ targets: [{ path: file, role: 'write' }], ...more }, { file, content: 'x' });
const again = (call: ToolCall) => after.preToolUse({ ...agent.origin, call });
const receiptsOf = (id: string) => place.receipts().filter(({ call_id }) => call_id === id);

/** Runs `work` and puts the tables back as they were: the process died between the logs' write and the commit. */
async function withTablesLost(work: () => Promise<unknown>): Promise<void> {
  const { state } = place.workspace.layout;
  const files = ['', '-wal', '-shm'].map((end) => state + end);
  const kept = files.filter((file) => existsSync(file));
  for (const file of kept) copyFileSync(file, `${file}.kept`);
  await work();
  for (const file of files) rmSync(file, { force: true });
  for (const file of kept) copyFileSync(`${file}.kept`, file);
}

describe('an attempt', () => {
  test('of which nothing is on record is decided', async () => {
    expect((await again(write())).decision.verdict).toBe('allow');
    expect((await again(write('src/secret.ts'))).decision.verdict).toBe('deny');
  });

  test('that was allowed is allowed under the same receipt, and counts once', async () => {
    for (let n = 1; n <= 3; n += 1) {
      const call = write();
      const first = await agent.pre(call);
      const second = await again(call);
      expect([first.decision.verdict, second.decision.verdict]).toEqual(['allow', 'allow']);
      expect(second.receiptId).toBe(first.receiptId);
      place.put(FILE, `${n}\n`);
      await agent.post(call);
      expect(receiptsOf(call.callId).map(({ phase }) => phase)).toEqual(['pre', 'post']);
    }
    expect((await agent.pre(write())).decision.verdict).toBe('halt');
  });

  test('that was refused is refused in the same words, and no second violation is recorded', async () => {
    const call = write('src/secret.ts');
    const first = await agent.pre(call);
    place.setStatus('INT-001', 'PENDING');
    const second = await again(call);
    expect(second.decision.verdict).toBe('deny');
    expect(second.text).toContain(first.decision.refusal?.sentence);
    expect(receiptsOf(call.callId)).toHaveLength(1);
  });

  test.each([
    ['a write', () => write()],
    ['a command', () => agent.call({ tool: 'shell', kind: 'execute', command: 'ls' }, { command: 'ls' })],
  ])('%s that the log has and the tables have not is allowed under its receipt', async (_what, make) => {
    const call = make();
    let id: string | null = null;
    await withTablesLost(async () => {
      id = (await agent.pre(call)).receiptId;
    });
    const second = await again(call);
    expect([second.decision.verdict, second.receiptId]).toEqual(['allow', id]);
    if (call.tool !== 'shell') place.put(FILE, 'after\n');
    expect((await agent.post(call)).alarm).toBeNull();
    expect(receiptsOf(call.callId).map(({ phase }) => phase)).toEqual(['pre', 'post']);
  });

  test.each([['with its tables'], ['without them']])(
    'a handshake lets the session act, %s',
    async (which) => {
      const other = place.agent('s2');
      await other.prompt();
      const call = other.call(
        { tool: HANDSHAKE_TOOL, kind: 'control', mutating: false },
        { intent_id: 'INT-001' },
      );
      if (which === 'with its tables') await other.pre(call);
      else await withTablesLost(() => other.pre(call));
      const second = await after.preToolUse({ ...other.origin, call });
      expect(second.decision.verdict).toBe('allow');
      await other.post(call);
      expect(other.state).toBe('CONTEXTUALIZED_ACTION');
    },
  );

  test('that was allowed is judged by what holds now', async () => {
    const call = write();
    await agent.pre(call);
    place.setStatus('INT-001', 'BLOCKED');
    expect((await again(call)).decision.verdict).toBe('deny');
  });

  test('that has ended does not begin again', async () => {
    const call = agent.call({ tool: 'shell', kind: 'execute', command: 'ls' }, { command: 'ls' });
    await agent.use(call);
    const second = await again(call);
    expect([second.decision.verdict, second.text]).toEqual([
      'deny',
      expect.stringContaining('has begun before'),
    ]);
  });
});

describe('a call without an id', () => {
  const unnamed = (args: JsonObject) =>
    agent.call(
      { callId: unnamedId('file_write', args), unnamed: true, targets: [{ path: FILE, role: 'write' }] },
      args,
    );

  test('is decided when none like it is on record', async () => {
    await agent.pre(unnamed({ content: 'one' }));
    expect((await again(unnamed({ content: 'two' }))).decision.verdict).toBe('allow');
  });

  test('is refused when one is, with the word to try again; and then it may', async () => {
    await agent.pre(unnamed({ content: 'one' }));
    const second = await again(unnamed({ content: 'one' }));
    expect(second.decision.verdict).toBe('deny');
    expect(second.text).toContain('Try the call again');
    expect((await agent.pre(unnamed({ content: 'one' }))).decision.verdict).toBe('allow');
  });
});

describe('an outcome', () => {
  const ended = (call: ToolCall) =>
    after.postToolUse({ ...agent.origin, call, ok: true, result: { done: true } });

  test('of which nothing is on record is recorded; one that is, is not recorded twice', async () => {
    const call = write();
    await agent.pre(call);
    place.put(FILE, 'after\n');
    expect(await ended(call)).toEqual({ context: null, alarm: null });
    expect(await ended(call)).toEqual({ context: null, alarm: null });
    expect(receiptsOf(call.callId).map(({ phase }) => phase)).toEqual(['pre', 'post']);
    expect(place.trace()).toHaveLength(1);
  });

  test('of a handshake still tells the agent its scope', async () => {
    const call = agent.call(
      { tool: HANDSHAKE_TOOL, kind: 'control', mutating: false },
      { intent_id: 'INT-001' },
    );
    await agent.prompt();
    await agent.pre(call);
    await agent.post(call);
    expect((await ended(call)).context).toContain('src/components/**');
  });
});
