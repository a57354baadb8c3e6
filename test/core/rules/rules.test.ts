import { describe, expect, test } from 'vitest';
import { compileScope } from '../../../src/core/breadth.ts';
import { decide } from '../../../src/core/decide.ts';
import type { Facts } from '../../../src/core/facts.ts';
import { breadthRule } from '../../../src/core/rules/breadth.ts';
import { budgetRule } from '../../../src/core/rules/budget.ts';
import { estopRule } from '../../../src/core/rules/estop.ts';
import { failSafeRule } from '../../../src/core/rules/fail-safe.ts';
import { handshakeRule } from '../../../src/core/rules/handshake.ts';
import { intentStatusRule } from '../../../src/core/rules/intent-status.ts';
import { loopBreakerRule } from '../../../src/core/rules/loop-breaker.ts';
import { ownershipRule } from '../../../src/core/rules/ownership.ts';
import { scopeRule } from '../../../src/core/rules/scope.ts';
import { securityPolicyRule } from '../../../src/core/rules/security-policy.ts';
import { selfProtectionRule } from '../../../src/core/rules/self-protection.ts';
import { stateRule } from '../../../src/core/rules/state.ts';
import type { Refusal, Rule, Word } from '../../../src/core/ruling.ts';
import { INSTALLED_RULES } from '../../../src/hooks/pipeline.ts';
import {
  call,
  facts,
  handshakeCall,
  handshakeFacts,
  intent,
  session,
  target,
  unreadable,
} from '../../support/facts.ts';

const shell = {
  understood: true,
  problems: [],
  background: false,
  touchesProtected: null,
  adminCommand: null,
};
const failSafe = { reason: 'orchestration state missing', file: null, line: null, remedy: 'Restore it.' };
const broad = compileScope(['src/**']);
const owner = { intentId: 'INT-002', intentName: 'Other' };
const command = call({ tool: 'shell', hostTool: 'Bash', kind: 'execute', command: 'true' });
const read = call({ tool: 'file_read', hostTool: 'Read', kind: 'read', mutating: false });
const select = (asked: unknown, chosen: ReturnType<typeof intent> | null, scopeFiles: number | null = 3) =>
  handshakeFacts({ handshake: { asked, intent: chosen, scopeFiles } });

/** What a rule is expected to say: a word, or the refusal's sentence. */
type Row = readonly [what: string, given: Facts, expected: 'pass' | 'silent' | string];

interface RuleTable {
  readonly rule: Rule;
  /** A fact without which the rule cannot judge. */
  readonly needs: keyof Facts;
  readonly from?: Facts;
  readonly allows: readonly Row[];
  readonly refuses: readonly Row[];
  /** Ways round the rule that must not work. */
  readonly bypasses: readonly Row[];
}

const STATE = 'State Violation: Reasoning Intercept Required';
const intercepted = (tool = call()) =>
  facts({ call: tool, session: session({ state: 'REASONING_INTERCEPT', intentId: null }), intent: null });

const TABLES: readonly RuleTable[] = [
  {
    rule: failSafeRule,
    needs: 'failSafe',
    allows: [['healthy state', facts(), 'pass']],
    refuses: [
      ['missing state', facts({ failSafe }), 'Fail-Safe Default: orchestration state missing'],
      [
        'a broken line',
        facts({ failSafe: { ...failSafe, reason: 'corrupted', file: '.orchestration/x', line: 7 } }),
        'Fail-Safe Default: corrupted (.orchestration/x:7)',
      ],
    ],
    bypasses: [
      ['the handshake', handshakeFacts({ failSafe }), 'Fail-Safe Default: orchestration state missing'],
      ['a read', facts({ failSafe, call: read }), 'Fail-Safe Default: orchestration state missing'],
    ],
  },
  {
    rule: estopRule,
    needs: 'estop',
    allows: [['no stop', facts(), 'pass']],
    refuses: [['a stop', facts({ estop: '/h/ESTOP' }), 'Emergency Stop: all tools are stopped']],
    bypasses: [
      ['an empty path', facts({ estop: '' }), 'Emergency Stop: all tools are stopped'],
      ['the handshake', handshakeFacts({ estop: '/h/ESTOP' }), 'Emergency Stop: all tools are stopped'],
    ],
  },
  {
    rule: stateRule,
    needs: 'session',
    allows: [
      ['a tool while acting', facts(), 'pass'],
      ['the handshake while intercepted', handshakeFacts(), 'pass'],
      ['looking up the handshake tool', intercepted(call({ findsHandshake: true, mutating: false })), 'pass'],
    ],
    refuses: [
      ['a write before the handshake', intercepted(), STATE],
      ['a read before the handshake', intercepted(read), STATE],
      ['a write in a new session', facts({ session: session({ state: 'REQUEST', intentId: null }) }), STATE],
      [
        'the handshake of a halted session',
        handshakeFacts({ session: session({ state: 'HALTED', intentId: null }) }),
        'Session Halted: this session has been ended by the circuit breaker',
      ],
    ],
    bypasses: [
      ['acting without an intent', facts({ session: session({ intentId: null }) }), STATE],
      ['a tool that only sounds like it', intercepted(call({ tool: 'select_active_intents' })), STATE],
      [
        'an intent kept while intercepted',
        facts({ session: session({ state: 'REASONING_INTERCEPT' }) }),
        STATE,
      ],
      ['a pending handshake', facts({ session: session({ state: 'REASONING_INTERCEPT', intentId: null, pendingId: 'INT-001' }) }), STATE], // biome-ignore format: one row a case
    ],
  },
  {
    rule: intentStatusRule,
    needs: 'session',
    allows: [
      ['an open intent', facts(), 'pass'],
      ['a pending one', facts({ intent: intent({ status: 'PENDING' }) }), 'pass'],
      ['no active intent', intercepted(), 'silent'],
      ['another selection', handshakeFacts(), 'silent'],
    ],
    refuses: [
      [
        'completed',
        facts({ intent: intent({ status: 'COMPLETED' }) }),
        `${STATE} (Intent INT-001 is COMPLETED)`,
      ],
      ['blocked', facts({ intent: intent({ status: 'BLOCKED' }) }), `${STATE} (Intent INT-001 is BLOCKED)`],
      [
        'abandoned',
        facts({ intent: intent({ status: 'ABANDONED' }) }),
        `${STATE} (Intent INT-001 is ABANDONED)`,
      ],
      ['removed', facts({ intent: null }), `${STATE} (Intent INT-001 is no longer in active_intents.yaml)`],
      [
        'broad now',
        facts({ intent: intent({ scope: broad }) }),
        `${STATE} (Intent INT-001 has become too broad: src/**)`,
      ],
    ],
    bypasses: [
      [
        'a read under a closed intent',
        facts({ call: read, intent: intent({ status: 'COMPLETED' }) }),
        `${STATE} (Intent INT-001 is COMPLETED)`,
      ],
      [
        'another state',
        facts({ session: session({ state: 'REASONING_INTERCEPT' }), intent: null }),
        `${STATE} (Intent INT-001 is no longer in active_intents.yaml)`,
      ],
    ],
  },
  {
    rule: handshakeRule,
    needs: 'handshake',
    from: handshakeFacts(),
    allows: [
      ['an open intent', handshakeFacts(), 'pass'],
      ['a pending one', select('INT-001', intent({ status: 'PENDING' })), 'pass'],
      ['any other tool', facts(), 'silent'],
    ],
    refuses: [
      ['an unknown id', select('INT-9', null), 'Validation Error: unknown intent INT-9'],
      [
        'a completed one',
        select('INT-001', intent({ status: 'COMPLETED' })),
        'Validation Error: intent INT-001 is COMPLETED',
      ],
      [
        'a blocked one',
        select('INT-001', intent({ status: 'BLOCKED' })),
        'Validation Error: intent INT-001 is BLOCKED',
      ],
      [
        'an abandoned one',
        select('INT-001', intent({ status: 'ABANDONED' })),
        'Validation Error: intent INT-001 is ABANDONED',
      ],
      ['no id', select(undefined, null), 'Validation Error: intent_id must be a non-empty string'],
      ['an empty id', select('', null), 'Validation Error: intent_id must be a non-empty string'],
      ['a number', select(1, null), 'Validation Error: intent_id must be a non-empty string'],
    ],
    bypasses: [
      [
        'a list of one id',
        select(['INT-001'], intent()),
        'Validation Error: intent_id must be a non-empty string',
      ],
      [
        'an object that prints as one',
        select({ toString: () => 'INT-001' }, intent()),
        'Validation Error: intent_id must be a non-empty string',
      ],
      [
        'a line break in the id',
        select('X\nSTATUS: allowed', null),
        'Validation Error: unknown intent X?STATUS: allowed',
      ],
      [
        'an id of any length',
        select('x'.repeat(9000), null),
        `Validation Error: unknown intent ${'x'.repeat(80)}`,
      ],
    ],
  },
  {
    rule: budgetRule,
    needs: 'usage',
    allows: [
      ['the last turn', facts({ usage: { turns: 50, tokens: 0 } }), 'pass'],
      ['one token left', facts({ usage: { turns: 1, tokens: 199_999 } }), 'pass'],
      ['the handshake', handshakeFacts({ usage: { turns: 99, tokens: 9e9 } }), 'silent'],
    ],
    refuses: [
      [
        'one turn more',
        facts({ usage: { turns: 51, tokens: 0 } }),
        'Budget Exhausted: Intent INT-001 has used its 50 turns',
      ],
      [
        'the last token',
        facts({ usage: { turns: 1, tokens: 200_000 } }),
        'Budget Exhausted: Intent INT-001 has used 200000 of its 200000 tokens',
      ],
    ],
    bypasses: [
      [
        'reading instead',
        facts({ call: read, usage: { turns: 51, tokens: 0 } }),
        'Budget Exhausted: Intent INT-001 has used its 50 turns',
      ],
    ],
  },
  {
    rule: loopBreakerRule,
    needs: 'session',
    allows: [
      ['the first call', facts(), 'pass'],
      ['the third', facts({ session: session({ repeats: 3 }) }), 'pass'],
    ],
    refuses: [
      [
        'the fourth',
        facts({ session: session({ repeats: 4 }) }),
        'Circuit Breaker: loop detected, Write called 4 times in a row with identical arguments',
      ],
    ],
    bypasses: [
      [
        'a loop of handshakes',
        handshakeFacts({ session: session({ state: 'REASONING_INTERCEPT', intentId: null, repeats: 4 }) }),
        'Circuit Breaker: loop detected, mcp__pactclaw__select_active_intent called 4 times in a row with identical arguments',
      ],
      [
        'a loop of reads',
        facts({ call: read, session: session({ repeats: 9 }) }),
        'Circuit Breaker: loop detected, Read called 9 times in a row with identical arguments',
      ],
    ],
  },
  {
    rule: breadthRule,
    needs: 'limits',
    from: handshakeFacts(),
    allows: [
      ['twenty files', select('INT-001', intent(), 20), 'pass'],
      ['the twentieth new file', facts({ scopeFilesAfter: 20 }), 'pass'],
      ['a call that creates none', facts(), 'silent'],
      ['an unknown intent', select('INT-9', null), 'silent'],
    ],
    refuses: [
      [
        'twenty-one files',
        select('INT-001', intent(), 21),
        'Governance Violation: Scope covers 21 files (max 20)',
      ],
      [
        'the twenty-first new file',
        facts({ scopeFilesAfter: 21 }),
        'Governance Violation: Scope covers 21 files (max 20)',
      ],
      [
        'a broad glob',
        select('INT-001', intent({ scope: broad })),
        'Governance Violation: Scope too broad: src/**',
      ],
    ],
    bypasses: [
      [
        'a scope that cannot be counted',
        select('INT-001', intent(), Number.POSITIVE_INFINITY),
        'Governance Violation: Scope covers uncountably many files (max 20)',
      ],
      [
        'a broad glob that matches nothing yet',
        select('INT-001', intent({ scope: broad }), 0),
        'Governance Violation: Scope too broad: src/**',
      ],
    ],
  },
  {
    rule: selfProtectionRule,
    needs: 'targets',
    allows: [
      ['an ordinary file', facts(), 'pass'],
      [
        'reading what is protected',
        facts({
          call: read,
          targets: [target('.orchestration/AGENT.md', 'read', { protectedAs: 'governance state' })],
        }),
        'pass',
      ],
      ['nothing named', facts({ targets: [] }), 'silent'],
    ],
    refuses: [
      [
        'the sidecar',
        facts({
          targets: [
            target('.orchestration/active_intents.yaml', 'write', { protectedAs: 'governance state' }),
          ],
        }),
        'Governance Violation: .orchestration/active_intents.yaml is protected (governance state)',
      ],
      [
        'a command near it',
        facts({ call: command, shell: { ...shell, touchesProtected: '.orchestration' } }),
        'Governance Violation: the command could change .orchestration, which is protected',
      ],
      [
        'an administrative command',
        facts({ call: command, shell: { ...shell, adminCommand: 'pactclaw init' } }),
        'Governance Violation: `pactclaw init` is for humans only',
      ],
    ],
    bypasses: [
      [
        'a scope that names it',
        facts({
          intent: intent({}, ['.orchestration/x']),
          targets: [target('.orchestration/x', 'write', { protectedAs: 'governance state' })],
        }),
        'Governance Violation: .orchestration/x is protected (governance state)',
      ],
      [
        'moving it away',
        facts({
          targets: [
            target('src/components/a', 'move-to'),
            target('.orchestration/x', 'move-from', { protectedAs: 'governance state' }),
          ],
        }),
        'Governance Violation: .orchestration/x is protected (governance state)',
      ],
      [
        'deleting it',
        facts({ targets: [target('.git/config', 'delete', { protectedAs: "version control's own files" })] }),
        "Governance Violation: .git/config is protected (version control's own files)",
      ],
      [
        'a call that claims to read',
        facts({
          call: read,
          targets: [target('.orchestration/x', 'write', { protectedAs: 'governance state' })],
        }),
        'Governance Violation: .orchestration/x is protected (governance state)',
      ],
    ],
  },
  {
    rule: scopeRule,
    needs: 'targets',
    allows: [
      ['a file of the scope', facts(), 'pass'],
      ['reading anywhere', facts({ call: read, targets: [target('README.md', 'read')] }), 'silent'],
      ['a command that names nothing', facts({ call: command, targets: [], shell }), 'pass'],
      [
        'a copy out of another place',
        facts({ call: command, shell, targets: [target('README.md', 'read'), target('src/components/x')] }),
        'pass',
      ],
    ],
    refuses: [
      [
        'a file beside the scope',
        facts({ targets: [target('src/secret.ts')] }),
        'Governance Violation: src/secret.ts is outside the owned_scope of Intent INT-001',
      ],
      [
        'a file outside the workspace',
        facts({ targets: [target(null)] }),
        'Governance Violation: /elsewhere/x.ts is outside the owned_scope of Intent INT-001',
      ],
      [
        'a write without a path',
        facts({ targets: [] }),
        'Governance Violation: Write names no path that can be checked',
      ],
      [
        'an untrusted path',
        facts({ targets: [target('src/components/x', 'write', { problem: 'it has another hard link' })] }),
        'Governance Violation: src/components/x is outside the owned_scope of Intent INT-001',
      ],
    ],
    bypasses: [
      [
        'one good target before a bad one',
        facts({ targets: [target('src/components/a'), target('src/secret.ts')] }),
        'Governance Violation: src/secret.ts is outside the owned_scope of Intent INT-001',
      ],
      [
        'moving out of the scope',
        facts({
          call: call({ kind: 'move' }),
          targets: [target('src/components/a', 'move-from'), target('src/secret.ts', 'move-to')],
        }),
        'Governance Violation: src/secret.ts is outside the owned_scope of Intent INT-001',
      ],
      [
        'moving into the scope',
        facts({
          call: call({ kind: 'move' }),
          targets: [target('src/secret.ts', 'move-from'), target('src/components/a', 'move-to')],
        }),
        'Governance Violation: src/secret.ts is outside the owned_scope of Intent INT-001',
      ],
      [
        'a twin in another case',
        facts({ targets: [target('src/Components/a.ts')] }),
        'Governance Violation: src/Components/a.ts is outside the owned_scope of Intent INT-001',
      ],
      [
        'naming only what it reads',
        facts({ targets: [target('src/secret.ts', 'read')] }),
        'Governance Violation: Write names no path that can be checked',
      ],
      [
        'a command',
        facts({ call: command, shell, targets: [target('src/secret.ts')] }),
        'Governance Violation: src/secret.ts is outside the owned_scope of Intent INT-001',
      ],
      [
        'a faulty scope',
        facts({ intent: intent({ scope: broad }), targets: [target('src/secret.ts')] }),
        'Governance Violation: src/secret.ts is outside the owned_scope of Intent INT-001',
      ],
    ],
  },
  {
    rule: ownershipRule,
    needs: 'targets',
    allows: [
      ['a free file', facts(), 'pass'],
      [
        'its own file',
        facts({
          targets: [target('src/components/a', 'write', { owner: { intentId: 'INT-001', intentName: 'C' } })],
        }),
        'pass',
      ],
      ['reading', facts({ call: read, targets: [target('src/a', 'read', { owner })] }), 'silent'],
      [
        'a command that reads it',
        facts({ call: command, shell, targets: [target('src/a', 'read', { owner })] }),
        'pass',
      ],
    ],
    refuses: [
      [
        'a file of another intent',
        facts({ targets: [target('src/components/a', 'write', { owner })] }),
        'Governance Violation: File owned by Intent INT-002',
      ],
    ],
    bypasses: [
      [
        'moving it away',
        facts({
          targets: [
            target('src/components/a', 'move-from', { owner }),
            target('src/components/b', 'move-to'),
          ],
        }),
        'Governance Violation: File owned by Intent INT-002',
      ],
      [
        'deleting it',
        facts({ targets: [target('src/components/b'), target('src/components/a', 'delete', { owner })] }),
        'Governance Violation: File owned by Intent INT-002',
      ],
      [
        'a session without intent',
        facts({
          session: session({ intentId: null }),
          targets: [target('src/components/a', 'write', { owner })],
        }),
        'Governance Violation: File owned by Intent INT-002',
      ],
    ],
  },
  {
    rule: securityPolicyRule,
    needs: 'policy',
    from: facts({ call: command, targets: [], shell: { ...shell, background: true } }),
    allows: [
      ['an ordinary file', facts(), 'pass'],
      ['a plain command', facts({ call: command, shell }), 'pass'],
      [
        'a background command where allowed',
        facts({
          call: command,
          shell: { ...shell, background: true },
          policy: { allowBackground: true },
        }),
        'pass',
      ],
      ['nothing named', facts({ targets: [] }), 'silent'],
    ],
    refuses: [
      [
        'a forbidden path',
        facts({ targets: [target(null, 'write', { asked: '/etc/passwd', forbiddenBy: '/etc' })] }),
        'Policy Violation: /etc/passwd lies under the forbidden path /etc',
      ],
      [
        'reading by a path that could lead anywhere',
        facts({
          call: read,
          targets: [target(null, 'read', { asked: '/proc/self/root/etc/passwd', problem: 'it varies' })],
        }),
        'Policy Violation: whether /proc/self/root/etc/passwd lies under a forbidden path cannot be told: it varies',
      ],
      [
        'an unreadable command',
        facts({ call: command, shell: { ...shell, understood: false } }),
        'Policy Violation: the command cannot be read, so it cannot be checked',
      ],
      [
        'a background command',
        facts({ call: command, shell: { ...shell, background: true } }),
        'Policy Violation: the command would go on after its check',
      ],
    ],
    bypasses: [
      [
        'only reading it',
        facts({ call: read, targets: [target(null, 'read', { asked: '/etc/shadow', forbiddenBy: '/etc' })] }),
        'Policy Violation: /etc/shadow lies under the forbidden path /etc',
      ],
      [
        'hiding it behind a good one',
        facts({
          targets: [
            target('src/components/a'),
            target(null, 'read', { asked: '/etc/x', forbiddenBy: '/etc' }),
          ],
        }),
        'Policy Violation: /etc/x lies under the forbidden path /etc',
      ],
    ],
  },
];

function wordOf(word: Word): string {
  return typeof word === 'string' ? word : word.sentence;
}

test('every installed rule has its table', () => {
  expect(TABLES.map(({ rule }) => rule.name).sort()).toEqual(INSTALLED_RULES.map(({ name }) => name).sort());
  expect(INSTALLED_RULES).toHaveLength(12);
});

describe.each(TABLES)('rule $rule.name', ({ rule, needs, from, allows, refuses, bypasses }) => {
  test.each(allows)('allows %s', (_what, given, expected) => {
    expect(wordOf(rule.judge(given))).toBe(expected);
  });

  test.each(refuses)('refuses %s', (_what, given, sentence) => {
    const word = rule.judge(given) as Refusal;
    expect(wordOf(word)).toBe(sentence);
    expect(word.remedy).toMatch(/\S/);
    expect(word.sentence).not.toMatch(/[\n\r]/);
    expect(decide(given, [rule])).toMatchObject({ refusal: word, refusedBy: rule.name });
    expect(decide(given, [rule]).verdict).toBe(word.halt ? 'halt' : 'deny');
  });

  test.each(bypasses)('is not got round by %s', (_what, given, sentence) => {
    expect(wordOf(rule.judge(given))).toBe(sentence);
  });

  test('refuses when it throws', () => {
    const given = unreadable(from ?? facts(), needs);
    expect(() => rule.judge(given)).toThrow(`${needs} cannot be read`);
    const decision = decide(given, [rule]);
    expect(decision).toMatchObject({ verdict: 'deny', refusedBy: rule.name, effects: [] });
    expect(decision.refusal?.kind).toBe('rule_error');
    expect(decision.refusal?.sentence).toBe(`Governance Violation: the rule ${rule.name} failed`);
    expect(decision.refusal?.remedy).toContain(`${needs} cannot be read`);
  });
});

describe('the closed lists of refused words', () => {
  test('a blocked intent names its reason and the human', () => {
    const { remedy } = handshakeRule.judge(
      select('INT-001', intent({ status: 'BLOCKED', blockedReason: 'loop detection: Bash' })),
    ) as Refusal;
    expect(remedy).toContain('loop detection: Bash');
    expect(remedy).toContain('A human must set its status to IN_PROGRESS');
  });

  test.each([
    ['REQUEST', handshakeFacts({ handshake: null, call: handshakeCall })],
    ['the count', select('INT-001', intent(), null)],
  ])('facts of %s that were never gathered are an error, not an allow', (_what, given) => {
    expect(decide(given, INSTALLED_RULES).refusal?.kind).toBe('rule_error');
  });

  test('a mutating call that reaches the scope without an intent is an error', () => {
    expect(decide(facts({ intent: null, session: session() }), [scopeRule]).refusal?.kind).toBe('rule_error');
  });
});
