import { appendFileSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ToolCall } from '../../src/core/tool-call.ts';
import { HANDSHAKE_TOOL } from '../../src/core/words.ts';
import type { EventOrigin } from '../../src/hooks/requests.ts';
import { readTranscript } from '../../src/hosts/claude-code/transcript.ts';
import { type Agent, TestWorkspace } from '../support/workspace.ts';

const OWN = `mcp__pactclaw__${HANDSHAKE_TOOL}`;

let place: TestWorkspace;
let agent: Agent;
let file: string;
let responses = 0;

beforeEach(() => {
  place = new TestWorkspace([
    { id: 'INT-001', budget: '{ max_turns: 3, max_tokens: 70000 }' },
    { id: 'INT-002', scope: ['src/pages/**'], budget: '{ max_turns: 3, max_tokens: 70000 }' },
  ]);
  agent = place.agent('s1');
  file = `${place.base}/transcript.jsonl`;
  writeFileSync(file, '');
});
afterEach(() => place[Symbol.dispose]());

/** The session's events with a transcript in Claude Code's form. */
const origin = (): EventOrigin => ({
  sessionId: 's1',
  host: 'claude-code',
  transcript: { files: [file], read: readTranscript },
});

const handshake = (intent_id = 'INT-001') =>
  agent.call({ tool: HANDSHAKE_TOOL, kind: 'control', mutating: false }, { intent_id });
const write = (name: string) =>
  agent.call({ targets: [{ path: `src/components/${name}`, role: 'write' }] }, { name });
const look = () => agent.call({ tool: 'shell', kind: 'execute', command: 'ls' }, { command: 'ls' });

function line(id: string, call: ToolCall, tokens: number): string {
  const name = call.tool === HANDSHAKE_TOOL ? OWN : 'Write';
  const content = [{ type: 'tool_use', id: call.callId, name }];
  const message = { id, model: 'm', usage: { output_tokens: tokens }, content };
  return `${JSON.stringify({ type: 'assistant', message })}\n`;
}

/** One response as the host plays it: its lines are written block by block, each call is judged and run in turn. */
async function respond(calls: readonly ToolCall[], tokens = 10, late = false): Promise<string[]> {
  responses += 1;
  const id = `msg_${responses}`;
  const lines = calls.map((call) => line(id, call, tokens));
  const verdicts: string[] = [];
  if (!late) appendFileSync(file, lines.join(''));
  for (const [index, call] of calls.entries()) {
    if (late) appendFileSync(file, lines[index] ?? '');
    const { decision } = await place.engine.preToolUse({ ...origin(), call });
    verdicts.push(decision.refusedBy ?? decision.verdict);
    if (decision.verdict === 'allow')
      await place.engine.postToolUse({ ...origin(), call, ok: true, result: null });
  }
  return verdicts;
}

describe('responses that carry the handshake', () => {
  test.each([[false], [true]])(
    'F-2: a handshake in every response does not keep the budget from running out (lines late: %s)',
    async (late) => {
      await agent.prompt();
      const words: string[] = [];
      for (let n = 0; n < 8; n += 1) words.push(...(await respond([handshake(), write(`f${n}`)], 10, late)));
      expect(words.filter((word) => word === 'allow').length).toBeLessThanOrEqual(10);
      expect(words).toContain('budget');
      expect(place.statusOf('INT-001')).toBe('BLOCKED');
    },
  );

  test('F-2: tokens of such responses count', async () => {
    await place.engine.userPrompt(origin(), true);
    await respond([handshake(), write('a')], 70_000);
    await respond([write('b')], 10);
    expect(place.statusOf('INT-001')).toBe('BLOCKED');
  });

  test('C-100: the first response of a request that makes the handshake alone is free', async () => {
    for (let request = 0; request < 5; request += 1) {
      await place.engine.userPrompt(origin(), true);
      expect(await respond([handshake()], 30_000)).toEqual(['allow']);
    }
    expect(place.usage('INT-001')).toEqual({ turns: 0, tokens: 0 });
  });

  test('C-100: choosing again within a request is a turn', async () => {
    await place.engine.userPrompt(origin(), true);
    for (let n = 0; n < 3; n += 1) await respond([handshake(n % 2 === 0 ? 'INT-001' : 'INT-002')]);
    expect(place.usage('INT-001').turns + place.usage('INT-002').turns).toBe(2);
  });

  test('F-2: a handshake that is refused does not hide the work before and after it', async () => {
    await place.engine.userPrompt(origin(), true);
    for (let n = 0; n < 6; n += 1) await respond([handshake('INT-404'), handshake(), write(`f${n}`)]);
    expect(place.statusOf('INT-001')).toBe('BLOCKED');
  });
});

describe('rows of identical calls', () => {
  test('F-2: the same intent chosen in between ends no row', async () => {
    place.edit('max_turns: 3', 'max_turns: 100');
    await agent.prompt();
    const words: (string | null)[] = [];
    for (let n = 0; n < 5; n += 1) {
      await agent.select('INT-001');
      words.push((await agent.use(look())).decision.refusedBy);
    }
    expect(words).toEqual([null, null, null, 'loop-breaker', 'state']);
  });

  test('C-100: another intent chosen in between does', async () => {
    place.edit('max_turns: 3', 'max_turns: 100');
    await agent.prompt();
    for (let n = 0; n < 6; n += 1) {
      await agent.select(n % 2 === 0 ? 'INT-001' : 'INT-002');
      expect((await agent.use(look())).decision.verdict).not.toBe('halt');
    }
  });

  test('a handshake before each of many different calls is no loop', async () => {
    place.edit('max_turns: 3', 'max_turns: 100');
    await agent.prompt();
    for (let n = 0; n < 8; n += 1) {
      expect((await agent.select('INT-001')).decision.verdict).toBe('allow');
      expect((await agent.write(`src/components/${n}.ts`)).decision.verdict).toBe('allow');
    }
  });

  test('the fourth identical handshake in a row halts', async () => {
    await agent.prompt();
    for (let n = 0; n < 3; n += 1) expect((await agent.select('INT-001')).decision.verdict).toBe('allow');
    expect((await agent.select('INT-001')).decision.verdict).toBe('halt');
  });
});

describe('doors that tell nothing of the model', () => {
  const writes = async (from: EventOrigin, count: number) => {
    const words: string[] = [];
    for (let n = 0; n < count; n += 1) {
      const call = write(`g${n}`);
      const { decision } = await place.engine.preToolUse({ ...from, call });
      words.push(decision.refusedBy ?? decision.verdict);
      if (decision.verdict === 'allow')
        await place.engine.postToolUse({ ...from, call, ok: true, result: null });
    }
    return words;
  };
  const none: EventOrigin = { sessionId: 's1', host: 'test', transcript: null };

  test('F-16: without usage each call is a turn', async () => {
    await agent.begin('INT-001');
    expect(await writes(none, 4)).toEqual(['allow', 'allow', 'allow', 'budget']);
  });

  test.each([
    ['is missing', '/nowhere/transcript.jsonl'],
    ['is empty', null],
  ])('F-16: a transcript that %s counts each call', async (_how, path) => {
    await agent.begin('INT-001');
    const from = { ...none, transcript: { files: [path ?? file], read: readTranscript } };
    expect(await writes(from, 4)).toEqual(['allow', 'allow', 'allow', 'budget']);
  });

  test('F-16: a transcript in a form that nobody knows is no unlimited budget', async () => {
    await agent.begin('INT-001');
    writeFileSync(file, '{"type":"reply"}\n');
    expect(await writes(origin(), 40)).toContain('budget');
  });

  test('a response that makes many calls at once is one turn', async () => {
    await place.engine.userPrompt(origin(), true);
    await respond([handshake()]);
    expect(await respond(Array.from({ length: 20 }, (_, n) => write(`h${n}`)))).not.toContain('budget');
    expect(place.usage('INT-001').turns).toBe(1);
  });

  test('use that is reported after the first call is not counted twice', async () => {
    await agent.begin('INT-001');
    await writes(none, 1);
    await place.engine.stop({ ...none, usage: { turns: 1, tokens: 5, model: null } });
    expect(place.usage('INT-001')).toEqual({ turns: 1, tokens: 5 });
  });
});
