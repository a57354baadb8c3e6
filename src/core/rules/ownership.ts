import type { Rule } from '../ruling.ts';
import { isMutatingRole } from '../tool-call.ts';

/** A file that another open intent has changed is that intent's until it completes (H-65, H-66). */
export const ownershipRule: Rule = {
  name: 'ownership',
  kind: 'ownership',
  judge: ({ targets, session, call }) => {
    if (!call.mutating) return 'silent';
    for (const { role, owner, relative, asked } of targets) {
      if (!isMutatingRole(role) || !owner || owner.intentId === session.intentId) continue;
      return {
        kind: 'ownership',
        sentence: `Governance Violation: File owned by Intent ${owner.intentId}`,
        remedy: `${relative ?? asked} was changed under ${owner.intentId} (${owner.intentName}), which is still open. Select that intent, or ask a human to complete it first: pactclaw intent complete ${owner.intentId}`,
        target: asked,
      };
    }
    return 'pass';
  },
};
