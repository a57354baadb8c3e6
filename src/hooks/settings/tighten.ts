import type { Intent } from '../../core/intent.ts';
import { canonicalJson, isObject } from '../../core/json.ts';
import type { Tampering } from '../command/vault.ts';
import type { Workspace } from '../workspace.ts';

/** Closing an intent frees the files that it holds, so that a command may do it to its own at most. */
function isTighter(before: Intent, after: Intent, own: string | null): boolean {
  const { status: was, blockedReason: _a, line: _b, ...rest } = before;
  const { status: is, blockedReason: _c, line: _d, ...now } = after;
  if (JSON.stringify(rest) !== JSON.stringify(now)) return false;
  if (was === is) return true;
  if (was === 'PENDING' && is === 'IN_PROGRESS') return true;
  return (
    (was === 'PENDING' || was === 'IN_PROGRESS') &&
    (is === 'BLOCKED' || (before.id === own && (is === 'COMPLETED' || is === 'ABANDONED')))
  );
}

/** Settings without the host's lists of permissions; null when they are no JSON object. A mode is no list. */
function withoutPermissions(content: Buffer | null): string | null {
  try {
    const value: unknown = content === null ? {} : JSON.parse(content.toString('utf8'));
    if (!isObject(value)) return null;
    const { permissions = {}, ...rest } = value;
    if (!isObject(permissions)) return null;
    const { allow: _a, deny: _d, ask: _q, additionalDirectories: _f, ...modes } = permissions;
    return canonicalJson({ ...rest, permissions: modes });
  } catch {
    return null;
  }
}

/** The host saves a human's "do not ask again" while the call waits for it; that is none of our wiring. */
function onlyPermissions(before: Buffer | null, now: Buffer | null): boolean {
  const rest = withoutPermissions(now);
  return now !== null && rest !== null && rest === withoutPermissions(before);
}

/**
 * Whether a change of a governing file, made while a command ran, may stay. Nobody can tell then whether a human
 * or the command made it; a change that only takes rights away is safe either way: an intent that was blocked, the
 * command's `own` that was closed, a lesson that another session added, the emergency stop being set.
 */
export async function onlyTightens(
  workspace: Workspace,
  { before, now }: Tampering,
  own: string | null,
): Promise<boolean> {
  if (now.path.endsWith('/.pactclaw/ESTOP')) return now.hash !== null;
  if (/\/\.(claude|qwen)\/settings(\.local)?\.json$/.test(now.path))
    return onlyPermissions(before.content, now.content);
  if (!before.content || !now.content) return false;
  if (now.path === workspace.layout.brain) {
    const added = now.content.subarray(before.content.length).toString('utf8');
    return (
      now.content.subarray(0, before.content.length).equals(before.content) &&
      added.split('\n').every((line) => line === '' || line.startsWith('- '))
    );
  }
  if (now.path !== workspace.layout.intents) return false;
  const { parseIntents } = await import('../../orchestration/parse-intents.ts');
  const [old, edited] = [parseIntents(before.content), parseIntents(now.content)];
  if (old.problems.length > 0 || edited.problems.length > 0 || old.intents.length !== edited.intents.length)
    return false;
  return old.intents.every((intent, index) => {
    const other = edited.intents[index];
    return other !== undefined && isTighter(intent, other, own);
  });
}
