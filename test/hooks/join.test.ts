import { existsSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ToolCall } from '../../src/core/tool-call.ts';
import type { Door, EventOrigin, TranscriptReading } from '../../src/hooks/requests.ts';
import { type Agent, TestWorkspace } from '../support/workspace.ts';

/** One call, seen by a model's proxy, the host's hook and a proxy of tool servers: decided, counted, recorded once. */
let place: TestWorkspace;
let agent: Agent;
beforeEach(async () => {
  place = new TestWorkspace([{ id: 'INT-001' }], ['src/components/a.ts', 'src/secret.ts']);
  agent = place.agent('s1');
  await agent.begin('INT-001');
});
afterEach(() => place[Symbol.dispose]());

const FILE = 'src/components/a.ts';
let number = 0;

/** A write as one of the doors sees it: the host's name of the tool and of its arguments may be another. */
function write(id: string, file = FILE, more: Partial<ToolCall> = {}): ToolCall {
  return agent.call(
    { callId: id, targets: [{ path: file, role: 'write' }], ...more },
    { file, content: 'x' },
  );
}
function origin(door: Door, sessionId = agent.id): EventOrigin {
  return { sessionId, host: 'test', transcript: null, door };
}
const pre = (door: Door, call: ToolCall) => place.engine.preToolUse({ ...origin(door), call });
const post = (door: Door, call: ToolCall) =>
  place.engine.postToolUse({ ...origin(door), call, ok: true, result: 'done' });
const receiptsOf = (id: string) => place.receipts().filter(({ call_id }) => call_id === id);
const fresh = () => {
  number += 1;
  return `call-${number}`;
};

describe('model proxy, then hook', () => {
  test('one attempt, one outcome, one ledger record', async () => {
    const call = write(fresh());
    const first = await pre('llm', call);
    const second = await pre('hook', { ...call, tool: 'patch', identity: 'another door, another name' });
    expect([first.decision.verdict, second.decision.verdict]).toEqual(['allow', 'allow']);
    expect(second.receiptId).toBe(first.receiptId);
    place.put(FILE, 'after\n');
    await post('hook', call);
    await post('llm', call);
    expect(receiptsOf(call.callId).map(({ phase }) => phase)).toEqual(['pre', 'post']);
    expect(place.trace().filter(({ path }) => path === FILE)).toHaveLength(1);
  });

  test('three equal calls through both doors run, the fourth halts: none counts twice', async () => {
    for (let n = 1; n <= 3; n += 1) {
      const call = write(fresh());
      expect((await pre('llm', call)).decision.verdict).toBe('allow');
      expect((await pre('hook', call)).decision.verdict).toBe('allow');
      await post('hook', call);
    }
    expect((await pre('llm', write(fresh()))).decision.verdict).toBe('halt');
  });

  test('what came between is seen: an intent blocked after the first door refuses at the second', async () => {
    const call = write(fresh());
    await pre('llm', call);
    place.setStatus('INT-001', 'BLOCKED');
    const second = await pre('hook', call);
    expect(second.decision.verdict).toBe('deny');
    expect(receiptsOf(call.callId).map(({ status }) => status)).toEqual(['allowed', 'denied']);
  });

  test('a hook that sees another target than the proxy did judges what it sees', async () => {
    const call = write(fresh());
    await pre('llm', call);
    const other = { ...call, targets: [{ path: 'src/secret.ts', role: 'write' as const }] };
    expect((await pre('hook', other)).decision.refusedBy).toBe('scope');
  });

  test('a command that only the proxy took for a read is watched from the hook on', async () => {
    const id = fresh();
    const asRead = write(id, FILE, { tool: 'file_read', kind: 'read', mutating: false });
    await pre('llm', asRead);
    const command = agent.call({ callId: id, tool: 'shell', kind: 'execute', command: 'true' }, asRead.args);
    expect((await pre('hook', command)).decision.verdict).toBe('allow');
    place.put('src/secret.ts', 'by the command\n');
    const { alarm } = await post('hook', command);
    expect(alarm).toContain('src/secret.ts');
    expect(place.text('src/secret.ts')).toBe('before\n');
  });

  test('a command that the proxy took for a write keeps what it did in scope, wherever the engine runs', async () => {
    const id = fresh();
    const asWrite = write(id);
    await pre('llm', asWrite);
    const command = agent.call({ callId: id, tool: 'shell', kind: 'execute', command: 'true' }, asWrite.args);
    expect((await pre('hook', command)).decision.verdict).toBe('allow');
    place.put(FILE, 'by the command\n');
    const { alarm } = await post('hook', command);
    expect(alarm).toBeNull();
    expect(place.text(FILE)).toBe('by the command\n');
    // What was kept of the named file is no governing file: nothing is put "back" beside the engine's own process.
    expect(existsSync(FILE)).toBe(false);
  });
});

describe('no way to begin a call again', () => {
  test.each<[Door, Door]>([
    ['hook', 'hook'],
    ['hook', 'api'],
    ['hook', 'llm'],
    ['api', 'hook'],
    ['mcp', 'hook'],
    ['llm', 'llm'],
  ])('begun at %s, begun again at %s: refused', async (first, second) => {
    const call = write(fresh());
    expect((await pre(first, call)).decision.verdict).toBe('allow');
    expect((await pre(second, call)).decision.verdict).toBe('deny');
  });

  test('a command that joins its own call from inside gets no newer snapshot to hide behind', async () => {
    const call = agent.call(
      { callId: fresh(), tool: 'shell', kind: 'execute', command: 'true' },
      { command: 'true' },
    );
    expect((await pre('hook', call)).decision.verdict).toBe('allow');
    place.put('src/secret.ts', 'hidden\n');
    await place.engine.preToolUse({
      ...origin('mcp', 'its own'),
      call: { ...call, sessionId: 'its own' },
      outerCallId: call.callId,
    });
    await place.engine.postToolUse({
      ...origin('mcp', 'its own'),
      call,
      ok: true,
      result: null,
      outerCallId: call.callId,
    });
    const { alarm } = await post('hook', call);
    expect(alarm).toContain('src/secret.ts');
    expect(place.text('src/secret.ts')).toBe('before\n');
  });
});

describe('hook, then the proxy of a tool server', () => {
  const inner = (call: ToolCall) => ({
    ...origin('mcp', 'server-1'),
    call: { ...call, sessionId: 'server-1', callId: 'its-own-1' },
    outerCallId: call.callId,
  });

  test('the call goes by the outer session; the hook records it', async () => {
    const call = write(fresh());
    await pre('hook', call);
    const at = await place.engine.preToolUse(inner(call));
    expect(at.decision.verdict).toBe('allow');
    place.put(FILE, 'after\n');
    await place.engine.postToolUse({ ...inner(call), ok: true, result: null });
    await post('hook', call);
    expect(receiptsOf(call.callId).map(({ phase }) => phase)).toEqual(['pre', 'post']);
    expect(receiptsOf('its-own-1')).toEqual([]);
  });

  test('an outer id that means another call is not believed: the session of its own has shaken no hands', async () => {
    const call = write(fresh());
    await pre('hook', call);
    const other = agent.call({ targets: [{ path: FILE, role: 'write' }] }, { file: FILE, content: 'other' });
    const answer = await place.engine.preToolUse({
      ...inner(call),
      call: { ...other, sessionId: 'server-1' },
    });
    expect(answer.decision.refusal?.sentence).toContain('State Violation');
  });
});

test('model use that a proxy has reported is not counted again from the transcript', async () => {
  const reading: TranscriptReading = {
    offset: 9,
    turns: 1,
    tokens: 70,
    model: 'm',
    lastMessage: null,
    calls: [],
  };
  const transcript = { files: ['/t/s1'], read: () => reading };
  await place.engine.stop({ ...origin('llm'), usage: { turns: 1, tokens: 70, model: 'm' } });
  await place.engine.stop({ ...origin('hook'), transcript });
  await place.engine.stop({ ...origin('hook'), usage: { turns: 1, tokens: 70, model: 'm' } });
  expect(place.usage('INT-001')).toEqual({ turns: 1, tokens: 70 });
});
