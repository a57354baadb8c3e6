import { refusalOfError } from '../decide.ts';
import { messageOf } from '../errors.ts';
import type { ResolvedTarget } from '../facts.ts';
import type { Intent } from '../intent.ts';
import type { PathRefusal } from '../ruling.ts';
import { judgeOwner } from './ownership.ts';
import { judgeScope } from './scope.ts';
import { judgeForbidden } from './security-policy.ts';
import { judgeProtected } from './self-protection.ts';

function unjudged(error: unknown): PathRefusal {
  return { ...refusalOfError('change', error), finding: `cannot be judged: ${messageOf(error)}` };
}

/**
 * Judges a change that was found after it happened: what a command, a script, a tool or an undo did to a path. The
 * same functions judge a call that names the path, in the order of the pipeline, so that no way of writing is freer
 * than another (H-63). `intent` is the one that the change was made for, as the human wrote it; its status does not
 * count, because a human may close an intent while its command runs. Null allows the change.
 */
export function judgeChange(change: ResolvedTarget, intent: Intent | null): PathRefusal | null {
  try {
    const word = judgeProtected(change);
    if (word || !intent) return word ?? unjudged(new Error('no intent was active'));
    return judgeScope(change, intent) ?? judgeOwner(change, intent.id) ?? judgeForbidden(change);
  } catch (error) {
    return unjudged(error);
  }
}
