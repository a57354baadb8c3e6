import type { Members } from '../../core/footprints/footprint.ts';
import { GIT_PLACES, GIT_SETTINGS } from '../../core/footprints/git.ts';
import type { Intent } from '../../core/intent.ts';
import { canonicalJson, type JsonObject, wellFormed } from '../../core/json.ts';
import { objectIn, without } from '../command/members.ts';
import type { Tampering } from '../command/vault.ts';
import type { Workspace } from '../workspace.ts';
import { changesNoGuarded, saysNothing } from './git-settings.ts';

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

async function settingsIn(path: string, content: Buffer | null): Promise<JsonObject | null> {
  if (!path.endsWith('.toml')) return content === null ? {} : objectIn(content);
  const { parse } = await import('smol-toml');
  try {
    return parse(content?.toString('utf8') ?? '') as JsonObject;
  } catch {
    return null;
  }
}

/**
 * Whether only members changed that the host saves for a human while a call waits or runs ("do not ask again", the
 * choice of a model): that is none of our wiring. False for a file that cannot be read.
 */
async function onlyFree({ before, now }: Tampering, free: readonly Members[]): Promise<boolean> {
  const [old, edited] = [
    await settingsIn(now.path, before.content),
    await settingsIn(now.path, now.content),
  ].map((value) => value && canonicalJson(wellFormed(free.reduce(without, value))));
  return now.content !== null && old != null && old === edited;
}

/**
 * Whether a change of a governing file, made while a command ran, may stay. Nobody can tell then whether a human
 * or the command made it; a change that only takes rights away is safe either way: an intent that was blocked, the
 * command's `own` that was closed, a lesson that another session added, the emergency stop being set.
 */
export async function onlyTightens(
  workspace: Workspace,
  tampering: Tampering,
  own: string | null,
): Promise<boolean> {
  const { before, now, place } = tampering;
  if (now.path.endsWith('/.pactclaw/ESTOP')) return now.hash !== null;
  if (place?.free) return onlyFree(tampering, place.free);
  if (place && GIT_SETTINGS.includes(place)) return changesNoGuarded(workspace, before, now);
  if (place && GIT_PLACES.includes(place) && !place.folder) return saysNothing(before) && saysNothing(now);
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
