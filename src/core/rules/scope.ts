import type { Facts, ResolvedTarget } from '../facts.ts';
import type { Intent } from '../intent.ts';
import type { PathRefusal, Rule } from '../ruling.ts';
import { covers } from '../scope.ts';
import { isMutatingRole } from '../tool-call.ts';
import { quotedName } from '../unseen.ts';

function outside(target: ResolvedTarget, intent: Intent, detail: string): PathRefusal {
  const finding = `is outside the owned_scope of Intent ${intent.id}`;
  return {
    kind: 'scope',
    finding,
    sentence: `Governance Violation: ${quotedName(target.relative === '' ? '.' : (target.relative ?? target.asked))} ${finding}`,
    remedy: `${detail}It may change: ${intent.ownedScope.join(', ')}. Work there, select another intent, or ask a human to widen owned_scope in .orchestration/active_intents.yaml.`,
    target: target.asked,
  };
}

/** Refuses a change outside what the intent owns, and one at a place that cannot be told for certain. */
export function judgeScope(target: ResolvedTarget, intent: Intent): PathRefusal | null {
  if (target.problem !== null)
    return {
      ...outside(target, intent, `The path cannot be trusted: ${target.problem}. `),
      finding: `cannot be trusted: ${target.problem}`,
    };
  if (target.scratch) return null;
  if (target.relative === null) return outside(target, intent, 'It lies outside the workspace. ');
  if (intent.scope.fault || !covers(intent.scope, target.relative)) return outside(target, intent, '');
  return null;
}

/** Kinds that name the files they change; without a readable target they cannot be bounded. */
function needsTarget(facts: Facts): boolean {
  return facts.call.kind === 'write' || facts.call.kind === 'delete' || facts.call.kind === 'move';
}

/**
 * A mutation may only reach what the active intent owns (H-57…H-61). Reads are not bounded here (H-62).
 * What a command writes without naming it is found after it ran (H-63).
 */
export const scopeRule: Rule = {
  name: 'scope',
  kind: 'scope',
  judge: (facts) => {
    const { intent, call } = facts;
    if (!call.mutating) return 'silent';
    if (!intent) throw new Error('a mutating call reached the scope rule without an intent');
    const mutations = facts.targets.filter((target) => isMutatingRole(target.role));
    if (mutations.length === 0 && needsTarget(facts))
      return {
        kind: 'scope',
        sentence: `Governance Violation: ${call.hostTool} names no path that can be checked`,
        remedy: 'Give the file as a path inside the owned_scope.',
        target: call.hostTool,
      };
    for (const target of mutations) {
      const refusal = judgeScope(target, intent);
      if (refusal) return refusal;
    }
    return 'pass';
  },
};
