import type { ResolvedTarget } from '../facts.ts';
import type { PathRefusal, Rule } from '../ruling.ts';
import { isMutatingRole } from '../tool-call.ts';
import { quotedName } from '../unseen.ts';

const REMEDY =
  'No agent may change it, whatever its scope: it is what governs the agent. Ask a human to make this change.';

/** Refuses a change of what governs agents. */
export function judgeProtected({ protectedAs, relative, asked }: ResolvedTarget): PathRefusal | null {
  if (protectedAs === null) return null;
  const finding = `is protected (${protectedAs})`;
  const sentence = `Governance Violation: ${quotedName(relative || asked)} ${finding}`;
  return { kind: 'policy', sentence, remedy: REMEDY, target: asked, finding };
}

/** The governing state and its wiring are out of every agent's reach (H-48). */
export const selfProtectionRule: Rule = {
  name: 'self-protection',
  kind: 'policy',
  judge: ({ targets, shell }) => {
    for (const target of targets) {
      const refusal = isMutatingRole(target.role) ? judgeProtected(target) : null;
      if (refusal) return refusal;
    }
    if (shell?.touchesProtected)
      return {
        kind: 'policy',
        sentence: `Governance Violation: the command could change ${quotedName(shell.touchesProtected)}, which is protected`,
        remedy: REMEDY,
        target: shell.touchesProtected,
      };
    if (shell?.adminCommand)
      return {
        kind: 'policy',
        sentence: `Governance Violation: \`${shell.adminCommand}\` is for humans only`,
        remedy: 'It changes how agents are governed. Ask a human to run it.',
        target: shell.adminCommand,
      };
    return targets.length === 0 && !shell ? 'silent' : 'pass';
  },
};
