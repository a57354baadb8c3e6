import type { ResolvedTarget } from '../facts.ts';
import type { PathRefusal, Rule } from '../ruling.ts';
import { isMutatingRole } from '../tool-call.ts';
import { quotedName } from '../unseen.ts';

/** Refuses the change of a file that belongs to an intent other than `intentId`. */
export function judgeOwner(target: ResolvedTarget, intentId: string | null): PathRefusal | null {
  const { owner, relative, asked } = target;
  if (!owner || owner.intentId === intentId) return null;
  return {
    kind: 'ownership',
    sentence: `Governance Violation: File owned by Intent ${owner.intentId}`,
    remedy: `${quotedName(relative ?? asked)} was changed under ${owner.intentId} (${owner.intentName}), which is still open. Select that intent, or ask a human to complete it first: pactclaw intent complete ${owner.intentId}`,
    target: asked,
    finding: `is owned by Intent ${owner.intentId}`,
  };
}

/** A file that another open intent has changed is that intent's until it completes (H-65, H-66). */
export const ownershipRule: Rule = {
  name: 'ownership',
  kind: 'ownership',
  judge: ({ targets, session, call }) => {
    if (!call.mutating) return 'silent';
    for (const target of targets) {
      const refusal = isMutatingRole(target.role) ? judgeOwner(target, session.intentId) : null;
      if (refusal) return refusal;
    }
    return 'pass';
  },
};
