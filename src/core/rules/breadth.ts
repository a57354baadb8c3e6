import type { Refusal, Rule } from '../ruling.ts';
import { HANDSHAKE_TOOL } from '../words.ts';

const REMEDY =
  'Narrow scopes keep every change traceable. A human can narrow owned_scope in .orchestration/active_intents.yaml, or split the intent.';

function tooBroad(glob: string, why: string): Refusal {
  return {
    kind: 'breadth',
    sentence: `Governance Violation: Scope too broad: ${glob}`,
    remedy: `The glob ${why}. ${REMEDY}`,
    target: glob,
  };
}

function tooMany(count: number, max: number): Refusal {
  return {
    kind: 'breadth',
    sentence: `Governance Violation: Scope covers ${Number.isFinite(count) ? count : 'uncountably many'} files (max ${max})`,
    remedy: REMEDY,
  };
}

/**
 * A scope must be narrow enough to be traced: no broad root-level glob, at most twenty files. Checked when an
 * intent is selected, and again when a call would add a file to it (H-51…H-56).
 */
export const breadthRule: Rule = {
  name: 'breadth',
  kind: 'breadth',
  judge: ({ call, handshake, limits, scopeFilesAfter }) => {
    if (call.tool === HANDSHAKE_TOOL) {
      if (!handshake?.intent) return 'silent';
      const rejected = [{ type: 'session', event: { type: 'HANDSHAKE_REJECTED' } }] as const;
      const { fault } = handshake.intent.scope;
      if (fault) return { ...tooBroad(fault.glob, fault.why), effects: rejected };
      if (handshake.scopeFiles === null) throw new Error('the files of the scope were not counted');
      if (handshake.scopeFiles > limits.maxScopeFiles)
        return { ...tooMany(handshake.scopeFiles, limits.maxScopeFiles), effects: rejected };
      return 'pass';
    }
    if (scopeFilesAfter === null) return 'silent';
    return scopeFilesAfter > limits.maxScopeFiles ? tooMany(scopeFilesAfter, limits.maxScopeFiles) : 'pass';
  },
};
