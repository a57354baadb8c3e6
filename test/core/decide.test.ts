import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compileScope } from '../../src/core/breadth.ts';
import { decide, refusalText } from '../../src/core/decide.ts';
import type { Facts } from '../../src/core/facts.ts';
import type { Refusal, Rule } from '../../src/core/ruling.ts';
import { TOOL_KINDS } from '../../src/core/words.ts';
import { INSTALLED_RULES } from '../../src/hooks/pipeline.ts';
import { call, facts, handshakeFacts, intent, session, target } from '../support/facts.ts';

type Change = (from: Facts) => Facts;

/** One way to break each rule, in the order in which the rules must answer (H-25). */
const BREAKS: readonly (readonly [rule: string, change: Change])[] = [
  ['fail-safe', (from) => ({ ...from, failSafe: { reason: 'x', file: null, line: null, remedy: 'y' } })],
  ['emergency-stop', (from) => ({ ...from, estop: '/home/x/.pactclaw/ESTOP' })],
  ['state', (from) => ({ ...from, session: { ...from.session, state: 'REASONING_INTERCEPT' } })],
  ['intent-status', (from) => ({ ...from, intent: { ...(from.intent ?? intent()), status: 'COMPLETED' } })],
  ['budget', (from) => ({ ...from, usage: { turns: 99, tokens: 0 } })],
  ['loop-breaker', (from) => ({ ...from, session: { ...from.session, repeats: 4 } })],
  ['breadth', (from) => ({ ...from, scopeFilesAfter: 21 })],
  [
    'self-protection',
    (from) => ({
      ...from,
      targets: [...from.targets, target('src/components/.git/x', 'write', { protectedAs: 'git' })],
    }),
  ],
  ['scope', (from) => ({ ...from, targets: [...from.targets, target('src/secret.ts')] })],
  [
    'ownership',
    (from) => ({
      ...from,
      targets: [
        ...from.targets,
        target('src/components/b.ts', 'write', { owner: { intentId: 'INT-002', intentName: 'Other' } }),
      ],
    }),
  ],
  [
    'security-policy',
    (from) => ({
      ...from,
      targets: [...from.targets, target('src/components/c.ts', 'write', { forbiddenBy: '/x' })],
    }),
  ],
];

describe('the order of the rules (H-25)', () => {
  test('nothing broken is allowed', () => {
    expect(decide(facts(), INSTALLED_RULES)).toMatchObject({
      verdict: 'allow',
      refusal: null,
      refusedBy: null,
    });
  });

  test.each(BREAKS)('%s alone is answered by that rule', (rule, change) => {
    expect(decide(change(facts()), INSTALLED_RULES).refusedBy).toBe(rule);
  });

  const pairs = BREAKS.flatMap(([first, one], at) =>
    BREAKS.slice(at + 1).map(([second, two]) => [first, second, one, two] as const),
  );

  test.each(pairs)('%s comes before %s', (first, second, one, two) => {
    for (const given of [one(two(facts())), two(one(facts()))]) {
      const decision = decide(given, INSTALLED_RULES);
      expect(decision.refusedBy).toBe(first);
      const words = new Map(decision.rulings.map((ruling) => [ruling.rule, ruling.word]));
      expect(words.get(second)).toBe('refuse');
    }
  });

  test('a selection is judged by the handshake before its breadth', () => {
    const completed = intent({ status: 'COMPLETED', scope: compileScope(['*']) });
    const given = handshakeFacts({ handshake: { asked: 'INT-001', intent: completed, scopeFiles: null } });
    expect(decide(given, INSTALLED_RULES).refusedBy).toBe('handshake');
  });
});

describe('a loop under another refusal', () => {
  test.each(BREAKS.filter(([rule]) => rule !== 'loop-breaker'))('still halts: %s', (rule, change) => {
    const decision = decide(change(facts({ session: session({ repeats: 4 }) })), INSTALLED_RULES);
    expect(decision.verdict).toBe('halt');
    expect(decision.effects).toContainEqual({ type: 'session', event: { type: 'HALT' } });
    const earlier =
      BREAKS.findIndex(([name]) => name === rule) < BREAKS.findIndex(([name]) => name === 'loop-breaker');
    expect(decision.refusedBy).toBe(earlier ? rule : 'loop-breaker');
    expect(refusalText(decision.refusal as Refusal)).toContain('Circuit Breaker: loop detected');
  });

  test.each(['COMPLETED', 'ABANDONED', 'BLOCKED'] as const)(
    'leaves an intent that is %s as it is (H-13)',
    (status) => {
      const given = facts({ session: session({ repeats: 4 }), intent: intent({ status }) });
      const { verdict, effects } = decide(given, INSTALLED_RULES);
      expect(verdict).toBe('halt');
      expect(effects.filter(({ type }) => type === 'block-intent')).toEqual([]);
    },
  );

  test('blocks the intent that looped', () => {
    const { effects } = decide(facts({ session: session({ repeats: 4 }) }), INSTALLED_RULES);
    expect(effects).toContainEqual({
      type: 'block-intent',
      intentId: 'INT-001',
      reason: 'loop detection: Write was called 4 times with identical arguments',
    });
  });
});

describe('what a decision asks for', () => {
  test.each([
    ['IN_PROGRESS', [{ type: 'session', event: { type: 'HANDSHAKE_STARTED', intentId: 'INT-001' } }]],
    [
      'PENDING',
      [
        { type: 'session', event: { type: 'HANDSHAKE_STARTED', intentId: 'INT-001' } },
        { type: 'start-intent', intentId: 'INT-001' },
      ],
    ],
  ] as const)('a handshake for a %s intent', (status, effects) => {
    const given = handshakeFacts({
      handshake: { asked: 'INT-001', intent: intent({ status }), scopeFiles: 1 },
    });
    expect(decide(given, INSTALLED_RULES)).toMatchObject({ verdict: 'allow', effects });
  });

  test('a spent budget blocks the intent and sends the session back', () => {
    expect(decide(facts({ usage: { turns: 51, tokens: 0 } }), INSTALLED_RULES).effects).toEqual([
      { type: 'block-intent', intentId: 'INT-001', reason: 'budget: its 50 turns' },
      { type: 'session', event: { type: 'INTENT_REVOKED' } },
    ]);
  });

  test('an allowed call changes nothing', () => {
    expect(decide(facts(), INSTALLED_RULES).effects).toEqual([]);
  });

  test('an empty pipeline refuses', () => {
    expect(decide(facts(), [])).toMatchObject({ verdict: 'deny', refusedBy: 'decide' });
  });
});

describe('properties', () => {
  const position = fc.record({
    state: fc.constantFrom('REQUEST', 'REASONING_INTERCEPT', 'HALTED', 'CONTEXTUALIZED_ACTION'),
    intentId: fc.constantFrom(null, 'INT-001'),
    repeats: fc.integer({ min: 1, max: 5 }),
  });
  const tool = fc.record({
    tool: fc.string({ minLength: 1 }),
    hostTool: fc.string({ minLength: 1 }),
    kind: fc.constantFrom(...TOOL_KINDS),
    mutating: fc.boolean(),
    declared: fc.boolean(),
  });

  test('without a valid active intent no tool is allowed (H-29)', () => {
    fc.assert(
      fc.property(
        tool,
        position,
        fc.constantFrom('none', 'COMPLETED', 'BLOCKED', 'ABANDONED'),
        (some, at, status) => {
          const valid = at.state === 'CONTEXTUALIZED_ACTION' && at.intentId !== null;
          const now = status === 'none' ? null : intent({ status: status as 'COMPLETED' });
          fc.pre(some.tool !== 'select_active_intent');
          const given = facts({
            call: call(some),
            session: session(valid ? { ...at, state: 'CONTEXTUALIZED_ACTION' } : at),
            intent: now,
          });
          expect(decide(given, INSTALLED_RULES).verdict).not.toBe('allow');
        },
      ),
      { numRuns: 300 },
    );
  });

  test('a rule more never turns a refusal into an allow', () => {
    const word = fc.constantFrom('pass', 'silent', 'refuse', 'halt', 'throw');
    const toRule = (said: string, at: number): Rule => ({
      name: `rule-${at}`,
      kind: 'policy',
      judge: () => {
        if (said === 'throw') throw new Error('broken');
        if (said === 'pass' || said === 'silent') return said;
        return { kind: 'policy', sentence: 's', remedy: 'r', ...(said === 'halt' ? { halt: true } : {}) };
      },
    });
    fc.assert(
      fc.property(fc.array(word, { minLength: 1 }), word, fc.nat(), (words, extra, seed) => {
        const at = seed % (words.length + 1);
        const more = [...words.slice(0, at), extra, ...words.slice(at)];
        const verdict = decide(facts(), words.map(toRule)).verdict;
        const now = decide(facts(), more.map(toRule)).verdict;
        const rank = { allow: 0, ask: 1, deny: 2, halt: 3 } as const;
        expect(rank[now]).toBeGreaterThanOrEqual(rank[verdict]);
        expect(now === 'allow').toBe(more.every((one) => one === 'pass' || one === 'silent'));
        expect(now === 'halt').toBe(more.includes('halt'));
      }),
    );
  });

  test('judging the same facts twice gives the same decision', () => {
    for (const [, change] of BREAKS)
      expect(decide(change(facts()), INSTALLED_RULES)).toEqual(decide(change(facts()), INSTALLED_RULES));
  });

  test('loop and budget limits are exact, and lower limits refuse no less (H-86…H-88)', () => {
    const limit = fc.integer({ min: 1, max: 1000 });
    fc.assert(
      fc.property(
        fc.record({ maxTurns: limit, maxTokens: limit, maxIdenticalCalls: fc.integer({ min: 1, max: 3 }) }),
        fc.record({ turns: fc.nat(1100), tokens: fc.nat(1100), repeats: fc.integer({ min: 1, max: 6 }) }),
        fc.nat(50),
        (limits, { turns, tokens, repeats }, less) => {
          const judge = (bounds: typeof limits) =>
            decide(
              facts({
                usage: { turns, tokens },
                session: session({ repeats }),
                limits: { ...bounds, maxScopeFiles: 20 },
              }),
              INSTALLED_RULES,
            );
          const { verdict, refusedBy } = judge(limits);
          const budget = turns > limits.maxTurns || tokens >= limits.maxTokens;
          const loop = repeats > limits.maxIdenticalCalls;
          expect(verdict).toBe(loop ? 'halt' : budget ? 'deny' : 'allow');
          expect(refusedBy).toBe(budget ? 'budget' : loop ? 'loop-breaker' : null);
          const tighter = { ...limits, maxTurns: Math.max(1, limits.maxTurns - less) };
          if (verdict !== 'allow') expect(judge(tighter).verdict).not.toBe('allow');
        },
      ),
      { numRuns: 400 },
    );
  });
});
