/** What a refusal tells the agent and what it does to session and intent, beside its sentence (rules.test.ts). */
import { describe, expect, test } from 'vitest';
import { compileScope } from '../../../src/core/breadth.ts';
import { decide } from '../../../src/core/decide.ts';
import { breadthRule } from '../../../src/core/rules/breadth.ts';
import { budgetRule } from '../../../src/core/rules/budget.ts';
import { failSafeRule } from '../../../src/core/rules/fail-safe.ts';
import { handshakeRule } from '../../../src/core/rules/handshake.ts';
import { intentStatusRule } from '../../../src/core/rules/intent-status.ts';
import { judgeOwner } from '../../../src/core/rules/ownership.ts';
import { judgeScope, scopeRule } from '../../../src/core/rules/scope.ts';
import { securityPolicyRule } from '../../../src/core/rules/security-policy.ts';
import { judgeProtected } from '../../../src/core/rules/self-protection.ts';
import { selectableList, stateRule } from '../../../src/core/rules/state.ts';
import type { Refusal, Rule } from '../../../src/core/ruling.ts';
import { call, facts, handshakeCall, handshakeFacts, intent, session, target } from '../../support/facts.ts';

const acting = { call: handshakeCall };
const select = (asked: unknown, chosen: ReturnType<typeof intent> | null) =>
  handshakeFacts({ handshake: { asked, intent: chosen, scopeFiles: 3 } });

describe('the list of intents', () => {
  const many = (count: number) =>
    Array.from({ length: count }, (_, at) => ({ id: `INT-${at}`, name: `n${at}` }));

  test('says what to do when it is empty', () => {
    expect(selectableList({ selectable: [] })).toBe(
      'No intent can be selected now: a human must add one to .orchestration/active_intents.yaml.',
    );
  });

  test.each([
    [1, 'INT-0 (n0).'],
    [20, 'INT-19 (n19).'],
    [21, 'INT-19 (n19), and 1 more.'],
    [25, 'INT-19 (n19), and 5 more.'],
  ])('of %i ends with %s', (count, end) => {
    const list = selectableList({ selectable: many(count) });
    expect(list.startsWith('Intents that can be selected: INT-0 (n0)')).toBe(true);
    expect(list.endsWith(end)).toBe(true);
  });
});

describe('the state', () => {
  test('a halted session is told its reason, and stays halted', () => {
    const halted = (haltReason: string | null) =>
      stateRule.judge(facts({ session: session({ state: 'HALTED', haltReason }) })) as Refusal;
    expect(halted('loop detection: Bash').remedy).toMatch(/^loop detection: Bash A human must/);
    expect(halted(null).remedy).toMatch(/^It tripped earlier\. A human must/);
    expect(halted(null).halt).toBe(true);
  });

  test('a call whose id has begun before does not run again', () => {
    expect(stateRule.judge(facts({ replayed: true }))).toEqual({
      kind: 'state',
      sentence: 'State Violation: a call of this id has begun before',
      remedy: 'Make a new call.',
      target: 'Write',
    });
    expect(stateRule.judge(handshakeFacts({ replayed: true }))).toMatchObject({ kind: 'state' });
  });
});

describe('the handshake', () => {
  const effects = [{ type: 'session', event: { type: 'HANDSHAKE_REJECTED' } }];

  test('that names nothing has no target', () => {
    const word = handshakeRule.judge(select('', null)) as Refusal;
    expect(word).toMatchObject({ kind: 'handshake', effects });
    expect('target' in word).toBe(false);
  });

  test.each([
    ['an unknown intent', select('INT-9', null), 'INT-9', 'Name an intent of the registry.'],
    ['a closed one', select('INT-001', intent({ status: 'COMPLETED' })), 'INT-001', 'Its work is closed'],
    ['a blocked one', select('INT-001', intent({ status: 'BLOCKED' })), 'INT-001', 'A human must set its'],
  ])('of %s ends without an intent, and names it', (_what, given, asked, remedy) => {
    const word = handshakeRule.judge(given) as Refusal;
    expect(word).toMatchObject({ target: asked, effects });
    expect(word.remedy.startsWith(remedy)).toBe(true);
  });

  test('whose facts are missing is an error', () => {
    expect(() => handshakeRule.judge(handshakeFacts({ handshake: null }))).toThrow('were not gathered');
    expect(breadthRule.judge(handshakeFacts({ handshake: null }))).toBe('silent');
  });

  test('leaves an intent that was blocked or is spent: neither rule stands in its way', () => {
    const blocked = facts({ ...acting, intent: intent({ status: 'BLOCKED' }) });
    expect(intentStatusRule.judge(blocked)).toBe('silent');
    expect(budgetRule.judge(facts({ ...acting, usage: { turns: 51, tokens: 0 } }))).toBe('silent');
  });

  test('that is allowed begins the intent; any other call begins none', () => {
    const allow: Rule = { name: 'allow', kind: 'state', judge: () => 'pass' };
    const begun = { type: 'session', event: { type: 'HANDSHAKE_STARTED', intentId: 'INT-001' } };
    const start = { type: 'start-intent', intentId: 'INT-001' };
    const handshake = { asked: 'INT-001', intent: intent(), scopeFiles: 3 };
    const effectsOf = (given: ReturnType<typeof facts>) => decide(given, [allow]).effects;
    expect(effectsOf(handshakeFacts())).toEqual([begun]);
    expect(effectsOf(select('INT-001', intent({ status: 'PENDING' })))).toEqual([begun, start]);
    expect(effectsOf(select('INT-001', null))).toEqual([]);
    expect(effectsOf(handshakeFacts({ handshake: null }))).toEqual([]);
    expect(effectsOf(facts({ handshake }))).toEqual([]);
  });
});

describe('the verdict', () => {
  const refusing = (name: string, more: Partial<Refusal>): Rule => ({
    name,
    kind: 'loop',
    judge: () => ({ kind: 'loop', sentence: name, remedy: `mend ${name}`, ...more }),
  });

  test('without any rule is a refusal', () => {
    expect(decide(facts(), [])).toMatchObject({
      verdict: 'deny',
      refusal: { kind: 'rule_error', sentence: 'Governance Violation: no rule is installed' },
      refusedBy: 'decide',
      effects: [],
    });
  });

  test('of a refusal without effects has none', () => {
    expect(decide(facts(), [refusing('a', {})]).effects).toEqual([]);
    expect(decide(facts(), [refusing('a', { halt: true })])).toMatchObject({ verdict: 'halt', effects: [] });
    expect(decide(facts(), [refusing('a', {}), refusing('b', { halt: true })]).effects).toEqual([]);
  });

  test('of a halt behind another refusal tells both and halts', () => {
    const halt = { type: 'session', event: { type: 'HALT' } } as const;
    const decision = decide(facts(), [refusing('a', {}), refusing('b', { halt: true, effects: [halt] })]);
    expect(decision).toMatchObject({ verdict: 'halt', refusedBy: 'a', effects: [halt] });
    expect(decision.refusal).toMatchObject({ sentence: 'a', remedy: 'mend a\nb. mend b', halt: true });
  });
});

describe('an intent', () => {
  test('that is BLOCKED is a human’s to open', () => {
    const word = intentStatusRule.judge(facts({ intent: intent({ status: 'BLOCKED' }) })) as Refusal;
    expect(word).toMatchObject({
      remedy: expect.stringMatching(/^A human must set it to IN_PROGRESS/),
      target: 'INT-001',
      effects: [{ type: 'session', event: { type: 'INTENT_REVOKED' } }],
    });
  });

  test('that is not there has no budget', () => {
    expect(budgetRule.judge(facts({ intent: null, usage: { turns: 999, tokens: 0 } }))).toBe('silent');
  });
});

describe('a path', () => {
  const remedyOf = (at: ReturnType<typeof target>) => judgeScope(at, intent())?.remedy;

  test('outside is told apart: beside the workspace, beside the scope, or not to be trusted', () => {
    expect(remedyOf(target(null))).toMatch(/^It lies outside the workspace\. It may change: src/);
    expect(remedyOf(target('src/pages/a.ts'))).toMatch(/^It may change: src/);
    expect(remedyOf(target('src/components/a', 'write', { problem: 'a loop' }))).toMatch(/a loop\. It may/);
  });

  test('the workspace itself is called `.`', () => {
    expect(judgeScope(target(''), intent())?.sentence).toContain(' . is outside');
  });

  test('a scope that is too broad covers nothing, its own files neither', () => {
    expect(judgeScope(target('src/a.ts'), intent({ scope: compileScope(['src/**']) }))).not.toBeNull();
  });

  test('of scratch is nobody’s, unless it cannot be trusted', () => {
    expect(judgeScope(target(null, 'write', { scratch: true }), intent())).toBeNull();
    expect(judgeScope(target(null, 'write', { scratch: true, problem: 'a loop' }), intent())).not.toBeNull();
  });

  test('that is judged without an intent is an error, and says so', () => {
    expect(() => scopeRule.judge(facts({ intent: null }))).toThrow('without an intent');
  });

  test.each(['write', 'delete', 'move'] as const)('a %s without one is refused', (kind) => {
    const given = facts({ call: call({ kind }), targets: [target('src/components/a', 'read')] });
    expect(scopeRule.judge(given)).toMatchObject({ target: 'Write', kind: 'scope' });
    expect(scopeRule.judge({ ...given, call: call({ kind: 'execute' }) })).toBe('pass');
  });

  test('of another intent or of PactClaw is told as it lies in the workspace, else as it was asked for', () => {
    const owner = { intentId: 'INT-002', intentName: 'Other' };
    const asked = { asked: '/ws/src/x.ts', owner, protectedAs: 'state' };
    expect(judgeOwner(target('src/x.ts', 'write', asked), 'INT-001')?.remedy).toMatch(/^src\/x\.ts was/);
    expect(judgeOwner(target(null, 'write', asked), 'INT-001')?.remedy).toMatch(/^\/ws\/src\/x\.ts was/);
    expect(judgeProtected(target('src/x.ts', 'write', asked))?.sentence).toContain(': src/x.ts is');
    expect(judgeProtected(target(null, 'write', asked))?.sentence).toContain(': /ws/src/x.ts is');
  });
});

describe('the policy', () => {
  test('leaves a change at an uncertain place to the scope', () => {
    const problem = { problem: 'a loop' };
    const judge = (role: 'read' | 'write') =>
      securityPolicyRule.judge(facts({ targets: [target('src/components/a', role, problem)] }));
    expect(judge('write')).toBe('pass');
    expect(judge('read')).toMatchObject({ kind: 'policy' });
    expect(securityPolicyRule.judge(facts({ targets: [target('a', 'read')] }))).toBe('pass');
  });

  test('names what cannot be read in a command', () => {
    const remedyOf = (problems: string[]) => {
      const shell = { understood: false, problems, background: false, touchesProtected: null };
      const word = securityPolicyRule.judge(facts({ shell: { ...shell, adminCommand: null } }));
      return (word as Refusal).remedy;
    };
    expect(remedyOf(['an open quote'])).toMatch(/^an open quote\. Write/);
    expect(remedyOf([])).toMatch(/^It does not parse\. Write/);
  });
});

test('fail-safe names the place, and what to do', () => {
  const failSafe = { reason: 'corrupted', file: 'x.yaml', line: null, remedy: 'Restore it.' };
  expect(failSafeRule.judge(facts({ failSafe }))).toMatchObject({
    sentence: 'Fail-Safe Default: corrupted (x.yaml)',
    remedy: 'No tool runs until a human restores it. Restore it.',
    target: 'x.yaml',
  });
});
