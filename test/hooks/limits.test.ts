import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { TranscriptReading } from '../../src/hooks/requests.ts';
import { removeState } from '../support/ledger.ts';
import { type Agent, TestWorkspace } from '../support/workspace.ts';

let place: TestWorkspace;
let agent: Agent;
beforeEach(() => {
  place = new TestWorkspace([
    { id: 'INT-001', budget: '{ max_turns: 4, max_tokens: 1000 }' },
    { id: 'INT-002', scope: ['src/pages/**'] },
  ]);
  agent = place.agent('s1');
});
afterEach(() => place[Symbol.dispose]());

/** Reports model use as a host's transcript does, once. */
async function spend(turns: number, tokens: number, id = agent.id): Promise<void> {
  const reading: TranscriptReading = { offset: 0, turns, tokens, model: 'm', lastMessage: null, calls: [] };
  await place.engine.stop({
    sessionId: id,
    host: 'test',
    transcript: { files: [`/t/${id}`], read: () => reading },
  });
}

describe('the circuit breaker (H-88…H-93)', () => {
  async function loop(): Promise<void> {
    await agent.begin('INT-001');
    for (let n = 1; n <= 3; n += 1)
      expect((await agent.write('src/components/a.ts', 'same')).decision.verdict).toBe('allow');
    const fourth = await agent.write('src/components/a.ts', 'same');
    expect(fourth.decision.verdict).toBe('halt');
    expect(fourth.text).toMatch(/^Circuit Breaker: loop detected/);
    expect(fourth.text).toContain('set INT-001 to IN_PROGRESS in .orchestration/active_intents.yaml');
  }

  test('three run, the fourth halts, the file says BLOCKED and keeps every other byte (H-47)', async () => {
    const before = place.registry;
    await loop();
    expect(agent.state).toBe('HALTED');
    const [status, reason] = [
      /status: BLOCKED # set by a human\n/,
      /\s*blocked_reason: "loop detection[^\n]*/,
    ];
    expect(place.registry).toMatch(status);
    expect(place.registry.replace(reason, '').replace('status: BLOCKED', 'status: IN_PROGRESS')).toBe(before);
  });

  test('a halted session runs nothing until a human has set the intent back and spoken (H-91)', async () => {
    await loop();
    for (const answer of [
      await agent.read('x'),
      await agent.select('INT-002'),
      await agent.write('src/pages/a.ts'),
    ])
      expect(answer.decision.refusal?.sentence).toBe(
        'Session Halted: this session has been ended by the circuit breaker',
      );
    await agent.prompt();
    expect(agent.state).toBe('HALTED');
    await place.engine.sessionStart(agent.origin);
    expect(agent.state).toBe('HALTED');
    place.setStatus('INT-001', 'IN_PROGRESS');
    expect((await agent.read('x')).decision.verdict).toBe('halt');
    await agent.prompt(false);
    expect(agent.state).toBe('HALTED');
    await agent.prompt(true);
    expect(agent.state).toBe('REASONING_INTERCEPT');
    expect((await agent.select('INT-001')).decision.verdict).toBe('allow');
  });

  test('other sessions cannot select the blocked intent', async () => {
    await loop();
    const other = place.agent('s2');
    expect((await other.begin('INT-001')).decision.refusal?.sentence).toBe(
      'Validation Error: intent INT-001 is BLOCKED',
    );
  });

  test('refused calls count, other calls and a human break the run (H-90)', async () => {
    await agent.begin('INT-001');
    for (let n = 0; n < 3; n += 1) await agent.write('src/secret.ts', 'x');
    await agent.read('README.md');
    for (let n = 0; n < 3; n += 1)
      expect((await agent.write('src/secret.ts', 'x')).decision.verdict).toBe('deny');
    await agent.begin('INT-001');
    expect((await agent.write('src/secret.ts', 'x')).decision.verdict).toBe('deny');
    for (let n = 0; n < 2; n += 1) await agent.write('src/secret.ts', 'x');
    expect((await agent.write('src/secret.ts', 'x')).decision.verdict).toBe('halt');
  });

  test('a lost database does not forgive a run of identical calls', async () => {
    await agent.begin('INT-001');
    for (let n = 0; n < 3; n += 1) await agent.write('src/secret.ts', 'x');
    removeState(place.workspace.layout);
    expect((await agent.write('src/secret.ts', 'x')).decision.verdict).toBe('halt');
  });
});

describe('budgets (H-85…H-87, H-91, H-92, H-94)', () => {
  test.each([
    ['turns', 4, 0, 'Budget Exhausted: Intent INT-001 has used its 4 turns'],
    ['tokens', 1, 1000, 'Budget Exhausted: Intent INT-001 has used 1000 of its 1000 tokens'],
  ])('%s spent: refused, BLOCKED, and a human opens a new window', async (_what, turns, tokens, sentence) => {
    await agent.begin('INT-001');
    await spend(turns, tokens);
    const answer = await agent.write('src/components/a.ts');
    expect(answer.decision.refusal?.sentence).toBe(sentence);
    expect(place.statusOf('INT-001')).toBe('BLOCKED');
    expect(place.registry).toContain('# the id');
    expect((await agent.select('INT-001')).decision.refusal?.sentence).toBe(
      'Validation Error: intent INT-001 is BLOCKED',
    );
    place.setStatus('INT-001', 'IN_PROGRESS');
    expect((await agent.select('INT-001')).decision.verdict).toBe('allow');
    expect((await agent.write('src/components/a.ts')).decision.verdict).toBe('allow');
    // Nothing tells of the response that made the write, so that the call is a turn.
    expect(place.usage('INT-001')).toEqual({ turns: 1, tokens: 0 });
    expect(place.receipts().some(({ intent_event }) => intent_event?.event === 'reset')).toBe(true);
  });

  test('use is shared by all sessions of an intent and survives the database', async () => {
    const other = place.agent('s2');
    await agent.begin('INT-001');
    await other.begin('INT-001');
    await spend(2, 10, 's1');
    await spend(2, 20, 's2');
    expect(place.usage('INT-001')).toEqual({ turns: 4, tokens: 30 });
    removeState(place.workspace.layout);
    await agent.begin('INT-001');
    expect(place.usage('INT-001')).toEqual({ turns: 4, tokens: 30 });
    expect((await agent.write('src/components/a.ts')).decision.refusal?.kind).toBe('budget');
  });

  test('a trip that could not be written yet still blocks, through a lost database too (H-91)', async () => {
    await agent.begin('INT-001');
    await spend(4, 0);
    // One status behind an anchor cannot be changed without changing the other: the editor refuses.
    place.edit('status: IN_PROGRESS', 'status: &same IN_PROGRESS');
    place.edit(/(id: INT-002[\s\S]*?)status: IN_PROGRESS/, '$1status: *same');
    const text = place.registry;
    expect((await agent.write('src/components/a.ts')).decision.refusal?.kind).toBe('budget');
    for (const lose of [() => undefined, () => removeState(place.workspace.layout)]) {
      lose();
      const answer = await agent.begin('INT-001');
      expect(answer.decision.refusal?.sentence).toBe('Validation Error: intent INT-001 is BLOCKED');
      expect(place.registry).toBe(text);
    }
    place.edit('*same', 'IN_PROGRESS');
    await agent.prompt();
    expect(place.statusOf('INT-001')).toBe('BLOCKED');
  });

  test('a configured limit may be lower, never higher', async () => {
    place.put('.orchestration/config.yaml', 'limits:\n  max_identical_calls: 1\n');
    await agent.begin('INT-002');
    await agent.write('src/pages/a.ts', 'x');
    expect((await agent.write('src/pages/a.ts', 'x')).decision.verdict).toBe('halt');
    place.put('.orchestration/config.yaml', 'limits:\n  max_identical_calls: 9\n');
    expect((await place.agent('s3').begin('INT-002')).decision.refusal?.kind).toBe('fail_safe');
  });
});
