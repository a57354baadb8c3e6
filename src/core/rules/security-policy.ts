import type { ResolvedTarget } from '../facts.ts';
import type { PathRefusal, Rule } from '../ruling.ts';
import { quotedName } from '../unseen.ts';

/** Refuses whatever touches a forbidden path. */
export function judgeForbidden({ forbiddenBy, asked }: ResolvedTarget): PathRefusal | null {
  if (forbiddenBy === null) return null;
  const finding = `lies under the forbidden path ${forbiddenBy}`;
  return {
    kind: 'policy',
    sentence: `Policy Violation: ${quotedName(asked)} ${finding}`,
    remedy:
      'A human lists forbidden paths in security.forbidden_paths of ~/.pactclaw/config.toml; ~/.pactclaw/run always is one.',
    target: asked,
    finding,
  };
}

/**
 * The workspace's own policy: forbidden paths for reading and writing alike, commands that nobody can
 * read, and commands that outlive the call that would check them (H-63).
 */
export const securityPolicyRule: Rule = {
  name: 'security-policy',
  kind: 'policy',
  judge: ({ targets, shell, policy }) => {
    for (const target of targets) {
      const refusal = judgeForbidden(target);
      if (refusal) return refusal;
    }
    const unplaced = targets.find(({ role, problem }) => role === 'read' && problem);
    if (unplaced)
      return {
        kind: 'policy',
        sentence: `Policy Violation: whether ${quotedName(unplaced.asked)} lies under a forbidden path cannot be told: ${unplaced.problem}`,
        remedy: 'Name the file by its plain path.',
        target: unplaced.asked,
      };
    if (shell && !shell.understood)
      return {
        kind: 'policy',
        sentence: 'Policy Violation: the command cannot be read, so it cannot be checked',
        remedy: `${shell.problems[0] ?? 'It does not parse'}. Write it more plainly, or as several commands.`,
      };
    if (shell?.background && !policy.allowBackground)
      return {
        kind: 'policy',
        sentence: 'Policy Violation: the command would go on after its check',
        remedy:
          'Run it in the foreground. A human can allow background commands with shell.background: allow in .orchestration/config.yaml.',
      };
    return targets.length === 0 && !shell ? 'silent' : 'pass';
  },
};
