import { breadthRule } from '../core/rules/breadth.ts';
import { budgetRule } from '../core/rules/budget.ts';
import { estopRule } from '../core/rules/estop.ts';
import { failSafeRule } from '../core/rules/fail-safe.ts';
import { handshakeRule } from '../core/rules/handshake.ts';
import { intentStatusRule } from '../core/rules/intent-status.ts';
import { loopBreakerRule } from '../core/rules/loop-breaker.ts';
import { ownershipRule } from '../core/rules/ownership.ts';
import { scopeRule } from '../core/rules/scope.ts';
import { securityPolicyRule } from '../core/rules/security-policy.ts';
import { selfProtectionRule } from '../core/rules/self-protection.ts';
import { stateRule } from '../core/rules/state.ts';
import type { Rule } from '../core/ruling.ts';
import type { Phase } from '../core/words.ts';
import type { StepsAt } from './steps.ts';

interface Named {
  readonly name: string;
  readonly phase: Phase;
  readonly summary: string;
}

/** A hook that judges calls by one rule. */
interface Judge extends Named {
  readonly at: 'judge';
  readonly rule: Rule;
}

/** A hook that works at one place of the engine's order. Its code is loaded when an event first comes there. */
interface Worker<At extends keyof StepsAt> extends Named {
  readonly at: At;
  readonly load: () => Promise<StepsAt[At]>;
}

type Workers = { [At in keyof StepsAt]: Worker<At> }[keyof StepsAt];

/** One named step of the pipeline (H-24, H-31). It carries what it does; nothing else does it. */
export type NamedHook = Judge | Workers;

function judge(name: string, rule: Rule, summary: string): Judge {
  return { name, phase: 'PreToolUse', summary, at: 'judge', rule };
}

/** The phase in which each place lies. */
const PHASE_OF: { readonly [At in keyof StepsAt]: Phase } = {
  'session-start': 'SessionStart',
  'user-prompt': 'UserPrompt',
  keep: 'PreToolUse',
  guard: 'PreToolUse',
  check: 'PostToolUse',
  record: 'PostToolUse',
  'before-compact': 'PreCompact',
  'after-compact': 'PreCompact',
  stop: 'Stop',
};

function work<At extends keyof StepsAt>(
  name: string,
  at: At,
  load: Worker<At>['load'],
  summary: string,
): Worker<At> {
  return { name, phase: PHASE_OF[at], summary, at, load };
}

/**
 * The whole pipeline in order. The engine folds over this list and does nothing besides: a hook that is not in it
 * does not happen, which is what the wiring tests cut one by one.
 */
export const PIPELINE: readonly NamedHook[] = [
  work(
    'SessionHook',
    'session-start',
    async () => (await import('./session/session-hook.ts')).beginSession,
    'begins the session at Request and tells the agent of the handshake',
  ),
  work(
    'RequestHook',
    'user-prompt',
    async () => (await import('./session/request-hook.ts')).takeRequest,
    'moves a new request into the Reasoning Intercept and lists the open intents',
  ),
  judge('FailSafeHook', failSafeRule, 'refuses everything while governance state is missing or broken'),
  judge('EmergencyStopHook', estopRule, 'refuses everything while the emergency stop is set'),
  judge('ReasoningInterceptHook', stateRule, 'refuses every tool but the handshake before the handshake'),
  judge(
    'IntentStatusHook',
    intentStatusRule,
    'sends a session back when its intent was closed, blocked or removed',
  ),
  judge('HandshakeHook', handshakeRule, 'checks the intent that the agent selects'),
  judge('BudgetHook', budgetRule, 'bounds turns and tokens of an intent'),
  judge('CircuitBreakerHook', loopBreakerRule, 'ends a session that repeats itself'),
  judge('BreadthHook', breadthRule, 'refuses scopes too broad to be traced'),
  judge('SelfProtectionHook', selfProtectionRule, 'keeps governance and its wiring out of reach'),
  judge('ScopeEnforcementHook', scopeRule, 'keeps mutations inside the owned scope'),
  judge('OwnershipHook', ownershipRule, 'keeps a file with the open intent that changed it'),
  judge(
    'SecurityPolicyHook',
    securityPolicyRule,
    'applies forbidden paths and refuses commands that cannot be checked',
  ),
  work(
    'PreimageHook',
    'keep',
    async () => (await import('./command/preimages.ts')).keepPreimages,
    'keeps what a file held before the call',
  ),
  work(
    'ContainmentHook',
    'guard',
    async () => (await import('./contained/due.ts')).planContainment,
    'has a command run in a container where that is wanted and possible',
  ),
  work(
    'SnapshotHook',
    'guard',
    async () => (await import('./command/preserve.ts')).takeSnapshot,
    'records the work tree before a command',
  ),
  work(
    'ReconcileHook',
    'check',
    async () => (await import('./command/check-outcome.ts')).checkOutcome,
    'finds what a call changed and undoes what left the scope',
  ),
  work(
    'HandshakeTransitionHook',
    'record',
    async () => (await import('./session/handshake-transition.ts')).letAct,
    'lets the session act once the handshake has answered',
  ),
  work(
    'AuditLedgerHook',
    'record',
    async () => (await import('./outcome/audit-ledger.ts')).recordMutations,
    'hashes each mutation and appends it to the ledger',
  ),
  work(
    'IntentMapHook',
    'record',
    async () => (await import('./outcome/map.ts')).updateMap,
    'keeps intent_map.md in step with the ledger',
  ),
  work(
    'CompactionHook',
    'before-compact',
    async () => (await import('./session/compaction.ts')).recordCompaction,
    'counts the use so far and lets a door shorten what it sends to the model',
  ),
  work(
    'ContextReinjectionHook',
    'after-compact',
    async () => (await import('./session/compaction.ts')).giveBoundsAgain,
    'gives the agent its scope, constraints and guidelines again after compaction',
  ),
  work(
    'UsageHook',
    'stop',
    async () => (await import('./session/end-of-run.ts')).countLastResponse,
    'counts the turns and tokens of the last response',
  ),
  work(
    'LessonsHook',
    'stop',
    async () => (await import('./session/end-of-run.ts')).writeLessons,
    'appends what went wrong to the shared brain',
  ),
];

/** Rules of the judges, in order. */
export const INSTALLED_RULES: readonly Rule[] = PIPELINE.flatMap((hook) =>
  hook.at === 'judge' ? [hook.rule] : [],
);

/** The steps of one place, in order. */
export function stepsAt<At extends keyof StepsAt>(at: At): Promise<StepsAt[At][]> {
  const workers = PIPELINE.filter((hook): hook is Worker<At> & Workers => hook.at === at);
  return Promise.all(workers.map(({ load }) => load()));
}

/** The named hook that holds a rule. */
export function hookOfRule(rule: string): string {
  return PIPELINE.find((hook) => hook.at === 'judge' && hook.rule.name === rule)?.name ?? rule;
}
