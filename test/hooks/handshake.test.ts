import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { sha256 } from '../../src/core/digest.ts';
import { type Agent, TestWorkspace } from '../support/workspace.ts';

const STATE = 'State Violation: Reasoning Intercept Required';
let place: TestWorkspace;
let agent: Agent;
beforeEach(() => {
  place = new TestWorkspace(
    [
      { id: 'INT-001' },
      { id: 'INT-002', scope: ['src/components/**', 'src/pages/**'] },
      { id: 'INT-003', status: 'PENDING', scope: ['docs/a/**'] },
      { id: 'INT-004', status: 'COMPLETED' },
      { id: 'INT-005', status: 'BLOCKED' },
      { id: 'INT-006', scope: ['src/**'] },
    ],
    ['src/secret.ts'],
  );
  agent = place.agent('s1');
});
afterEach(() => place[Symbol.dispose]());

describe('the handshake', () => {
  test('a session goes Request, Intercept, Action, and only then may act (H-1…H-12)', async () => {
    expect(agent.state).toBe('REQUEST');
    expect((await agent.write('src/components/a.ts')).text).toMatch(new RegExp(`^${STATE}\n`));
    expect((await agent.prompt()).context).toContain('INT-001');
    expect(agent.state).toBe('REASONING_INTERCEPT');
    for (const answer of [await agent.read('src/secret.ts'), await agent.write('src/components/a.ts', 'x')])
      expect(answer.decision.refusal?.sentence).toBe(STATE);
    expect(place.text('src/components/a.ts')).toBeNull();
    expect((await agent.select('INT-001')).decision.verdict).toBe('allow');
    expect(place.session('s1')).toMatchObject({ state: 'CONTEXTUALIZED_ACTION', intentId: 'INT-001' });
    expect((await agent.write('src/components/a.ts')).decision.verdict).toBe('allow');
    expect((await agent.read('src/secret.ts')).decision.verdict).toBe('allow');
  });

  test('every refusal is one denied receipt with its violation (H-5, H-28)', async () => {
    await agent.prompt();
    await agent.write('src/components/a.ts');
    await agent.write('src/components/b.ts');
    const denied = place.receipts().filter(({ status }) => status === 'denied');
    expect(denied).toHaveLength(2);
    for (const receipt of denied)
      expect(receipt).toMatchObject({
        conversation_id: 's1',
        violation: { kind: 'state', rule: 'state', hook: 'ReasoningInterceptHook', message: STATE },
      });
  });

  test.each([
    ['INT-999', 'Validation Error: unknown intent INT-999'],
    ['INT-004', 'Validation Error: intent INT-004 is COMPLETED'],
    ['INT-005', 'Validation Error: intent INT-005 is BLOCKED'],
    ['INT-006', 'Governance Violation: Scope too broad: src/**'],
    ['', 'Validation Error: intent_id must be a non-empty string'],
    [null, 'Validation Error: intent_id must be a non-empty string'],
    [['INT-001'], 'Validation Error: intent_id must be a non-empty string'],
  ])('selecting %j stays in the intercept (H-8…H-11, H-51)', async (id, sentence) => {
    await agent.prompt();
    const answer = await agent.select(id);
    expect(answer.decision.refusal?.sentence).toBe(sentence);
    expect(agent.state).toBe('REASONING_INTERCEPT');
    expect((await agent.write('src/components/a.ts')).decision.refusal?.sentence).toBe(STATE);
  });

  test('a pending intent is begun, its comment kept (H-13)', async () => {
    const before = place.registry;
    await agent.begin('INT-003');
    expect(place.registry).toBe(before.replace('status: PENDING', 'status: IN_PROGRESS'));
  });

  test('a handshake that the tool did not answer is no handshake', async () => {
    await agent.prompt();
    const call = agent.call(
      { tool: 'select_active_intent', kind: 'control', mutating: false },
      { intent_id: 'INT-001' },
    );
    await agent.pre(call);
    expect(agent.state).toBe('REASONING_INTERCEPT');
    expect((await agent.write('src/components/a.ts')).decision.refusal?.sentence).toBe(STATE);
    await agent.post(call, false);
    expect(place.session('s1')).toMatchObject({ state: 'REASONING_INTERCEPT', pendingId: null });
  });

  test('an outcome whose attempt was never allowed changes nothing', async () => {
    await agent.prompt();
    await agent.post(
      agent.call(
        { tool: 'select_active_intent', kind: 'control', mutating: false },
        { intent_id: 'INT-001' },
      ),
    );
    expect(agent.state).toBe('REASONING_INTERCEPT');
    await agent.post(agent.call({ targets: [{ path: 'src/components/a.ts', role: 'write' }] }));
    expect(place.trace()).toEqual([]);
  });

  test('a new request, a new start and a lost database need a new handshake (H-16, H-18)', async () => {
    await agent.begin('INT-001');
    await agent.prompt();
    expect(agent.state).toBe('REASONING_INTERCEPT');
    await agent.select('INT-001');
    await place.engine.sessionStart(agent.origin);
    expect(agent.state).toBe('REQUEST');
  });

  test('one session does not act by the handshake of another', async () => {
    await agent.begin('INT-001');
    const other = place.agent('s2');
    expect((await other.write('src/components/a.ts')).decision.refusal?.sentence).toBe(STATE);
  });

  test('selecting again while acting changes the intent (H-17)', async () => {
    await agent.begin('INT-001');
    await agent.select('INT-002');
    expect(place.session('s1')).toMatchObject({ state: 'CONTEXTUALIZED_ACTION', intentId: 'INT-002' });
  });

  test('selecting a wrong intent while acting drops the right one (H-17)', async () => {
    await agent.begin('INT-001');
    await agent.select('INT-404');
    expect((await agent.write('src/components/a.ts')).decision.refusal?.sentence).toBe(STATE);
  });
});

describe('a stale intent', () => {
  test.each([
    ['completed', () => place.setStatus('INT-001', 'COMPLETED'), 'INT-001 is COMPLETED'],
    ['blocked', () => place.setStatus('INT-001', 'BLOCKED'), 'INT-001 is BLOCKED'],
    ['abandoned', () => place.setStatus('INT-001', 'ABANDONED'), 'INT-001 is ABANDONED'],
    [
      'removed',
      () => place.edit('id: INT-001', 'id: INT-100'),
      'INT-001 is no longer in active_intents.yaml',
    ],
    [
      'broad',
      () => place.edit("- 'src/components/**'", "- 'src/**'"),
      'INT-001 has become too broad: src/**',
    ],
  ])(
    '%s by a human: the very next call of every session is refused (H-14, H-15, H-45)',
    async (_what, edit, why) => {
      const agents = ['s1', 's2', 's3'].map((id) => place.agent(id));
      for (const one of agents) await one.begin('INT-001');
      edit();
      for (const one of agents) {
        const answer = await one.write('src/components/a.ts');
        expect(answer.decision.refusal?.sentence).toBe(`${STATE} (Intent ${why})`);
        expect(one.state).toBe('REASONING_INTERCEPT');
      }
      expect(place.text('src/components/a.ts')).toBeNull();
    },
  );

  test('an edit widens a scope at once, too', async () => {
    await agent.begin('INT-001');
    expect((await agent.write('src/pages/a.ts')).decision.verdict).toBe('deny');
    place.edit("- 'src/components/**'", "- 'src/components/**'\n      - 'src/pages/**'");
    expect((await agent.write('src/pages/a.ts')).decision.verdict).toBe('allow');
  });
});

describe('what a call changes', () => {
  test('a write outside the scope is refused and leaves the file alone (H-57…H-59)', async () => {
    await agent.begin('INT-001');
    const answer = await agent.write('src/secret.ts', 'stolen');
    expect(answer).toMatchObject({ hook: 'ScopeEnforcementHook' });
    expect(answer.decision.refusal?.sentence).toBe(
      'Governance Violation: src/secret.ts is outside the owned_scope of Intent INT-001',
    );
    expect(place.text('src/secret.ts')).toBe('before\n');
    expect(place.receipts().at(-1)).toMatchObject({
      status: 'denied',
      violation: { kind: 'scope', target: 'src/secret.ts' },
    });
  });

  test('a write is recorded with the hash of its bytes, the map has its row (H-64, H-71…H-74)', async () => {
    await agent.begin('INT-001');
    await agent.write('src/components/a.ts', 'one\ntwo\n');
    expect(place.trace()).toMatchObject([
      {
        intent_id: 'INT-001',
        path: 'src/components/a.ts',
        mutation: 'create',
        content_hash: sha256('one\ntwo\n'),
        ranges: [{ start_line: 1, end_line: 2, content_hash: sha256('one\ntwo\n') }],
        rationale: 'Work of INT-001',
      },
    ]);
    expect(place.text('.orchestration/intent_map.md')).toMatch(
      /\| src\/components\/a\.ts \| INT-001 \| Work of INT-001 \| LOCKED \|/,
    );
    expect(place.receipts().at(-1)).toMatchObject({
      phase: 'post',
      status: 'allowed',
      trace: [place.trace()[0]?.entry_hash],
    });
  });

  test('a refused or failed write leaves no ledger line', async () => {
    await agent.begin('INT-001');
    await agent.write('src/secret.ts');
    const call = agent.call({ targets: [{ path: 'src/components/a.ts', role: 'write' }] });
    await agent.pre(call);
    await agent.post(call, false);
    expect(place.trace()).toEqual([]);
    expect(place.receipts().at(-1)).toMatchObject({ phase: 'post', status: 'failed' });
  });

  test('a file of another open intent is refused with its owner until that completes (H-65, H-66)', async () => {
    await agent.begin('INT-001');
    await agent.write('src/components/a.ts', 'first\n');
    const other = place.agent('s2');
    await other.begin('INT-002');
    const refused = await other.write('src/components/a.ts', 'second\n');
    expect(refused.decision.refusal?.sentence).toBe('Governance Violation: File owned by Intent INT-001');
    expect(place.text('src/components/a.ts')).toBe('first\n');
    expect((await other.write('src/components/b.ts')).decision.verdict).toBe('allow');
    place.setStatus('INT-001', 'BLOCKED');
    expect((await other.write('src/components/a.ts', 'x')).decision.verdict).toBe('deny');
    place.setStatus('INT-001', 'COMPLETED');
    expect((await other.write('src/components/a.ts', 'second\n')).decision.verdict).toBe('allow');
    expect(place.text('.orchestration/intent_map.md')).toMatch(/a\.ts \| INT-002 \|.*\| INT-001 \|/);
  });

  test('the twenty-first file of a scope is refused, the twentieth may be changed (H-52, H-55)', async () => {
    for (let n = 1; n <= 19; n += 1) place.put(`src/components/f${n}.ts`, 'x');
    await agent.begin('INT-001');
    expect((await agent.write('src/components/f20.ts')).decision.verdict).toBe('allow');
    const answer = await agent.write('src/components/f21.ts');
    expect(answer.decision.refusal?.sentence).toBe('Governance Violation: Scope covers 21 files (max 20)');
    expect((await agent.write('src/components/f3.ts')).decision.verdict).toBe('allow');
    place.put('src/components/f21.ts', 'by a human');
    const again = place.agent('s2');
    expect((await again.begin('INT-001')).decision.refusal?.sentence).toBe(
      'Governance Violation: Scope covers 21 files (max 20)',
    );
  });

  test('a command that leaves the scope is undone, recorded, and blocks its intent (H-63)', async () => {
    await agent.begin('INT-001');
    const answer = await agent.shell('node build.js', () => {
      place.put('src/secret.ts', 'stolen');
      place.put('src/components/made.ts', 'made\n');
    });
    expect(answer.after?.alarm).toContain('src/secret.ts');
    expect(place.text('src/secret.ts')).toBe('before\n');
    expect(place.text('src/components/made.ts')).toBe('made\n');
    expect(place.statusOf('INT-001')).toBe('BLOCKED');
    expect(place.trace()).toMatchObject([{ path: 'src/components/made.ts', mutation: 'create' }]);
    expect(
      place
        .receipts()
        .some(({ violation }) => violation?.kind === 'scope' && violation.hook === 'ReconcileHook'),
    ).toBe(true);
  });

  test.each([
    '.orchestration/active_intents.yaml',
    '.orchestration/config.yaml',
    '.git/config',
    '.claude/settings.json',
  ])('no scope lets an agent change %s (H-48)', async (file) => {
    await agent.begin('INT-001');
    const before = place.text(file);
    expect((await agent.write(file, 'mine')).hook).toBe('SelfProtectionHook');
    expect(place.text(file)).toBe(before);
  });
});

describe('text that is no Unicode', () => {
  test('is refused, recorded and counted like any other', async () => {
    await agent.begin('INT-001');
    for (let n = 1; n <= 4; n += 1) {
      const answer = await agent.pre(
        agent.call({
          callId: `\ud800${n}`,
          targets: [{ path: 'src/\ud800', role: 'write' }],
          identity: 'same',
        }),
      );
      expect(answer.decision.verdict).toBe(n < 4 ? 'deny' : 'halt');
      expect(answer.receiptId).not.toBeNull();
    }
    expect(place.receipts().filter(({ status }) => status === 'denied')).toHaveLength(4);
  });
});
