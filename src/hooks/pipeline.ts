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

/** One named step of the pipeline (H-24, H-31). Judges hold a rule; the others do the work their summary names. */
export interface NamedHook {
  readonly name: string;
  readonly phase: Phase;
  readonly summary: string;
  readonly rule?: Rule;
}

function judge(name: string, rule: Rule, summary: string): NamedHook {
  return { name, phase: 'PreToolUse', summary, rule };
}

function step(name: string, phase: Phase, summary: string): NamedHook {
  return { name, phase, summary };
}

/**
 * The whole pipeline in order. The engine asks this list, and nothing else, what to run: a hook that is not in it
 * does not happen, which is what the wiring tests cut one by one.
 */
export const PIPELINE: readonly NamedHook[] = [
  step('SessionHook', 'SessionStart', 'begins the session at Request and tells the agent of the handshake'),
  step(
    'RequestHook',
    'UserPrompt',
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
  step('PreimageHook', 'PreToolUse', 'keeps what a file held before the call'),
  step('SnapshotHook', 'PreToolUse', 'records the work tree before a command'),
  step('HandshakeTransitionHook', 'PostToolUse', 'lets the session act once the handshake has answered'),
  step('ReconcileHook', 'PostToolUse', 'finds what a command changed and undoes what left the scope'),
  step('AuditLedgerHook', 'PostToolUse', 'hashes each mutation and appends it to the ledger'),
  step('IntentMapHook', 'PostToolUse', 'keeps intent_map.md in step with the ledger'),
  step(
    'ContextReinjectionHook',
    'PreCompact',
    'gives the agent its scope, constraints and guidelines again after compaction',
  ),
  step('UsageHook', 'Stop', 'counts the turns and tokens of the last response'),
  step('LessonsHook', 'Stop', 'appends what went wrong to the shared brain'),
];

/** Rules of the installed judges, in order. */
export const INSTALLED_RULES: readonly Rule[] = PIPELINE.flatMap((hook) => (hook.rule ? [hook.rule] : []));

/** Whether a step is in the pipeline. */
export function isInstalled(name: string): boolean {
  return PIPELINE.some((hook) => hook.name === name);
}

/** The named hook that holds a rule. */
export function hookOfRule(rule: string): string {
  return PIPELINE.find((hook) => hook.rule?.name === rule)?.name ?? rule;
}
