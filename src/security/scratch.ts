import { GIT_NAME } from '../core/footprints/git.ts';
import { FOOTPRINTS } from '../core/footprints/index.ts';
import { isMutatingRole, type TargetRole } from '../core/tool-call.ts';
import { under } from '../core/under.ts';
import { SIDECAR } from '../core/words.ts';
import { listFolder } from '../platform/list-folder.ts';
import { type Standing, standingAt } from '../platform/standing.ts';
import { fold } from './fold.ts';
import { type Ground, protectedAs } from './protected.ts';

/** The system's temporary folders by their real paths; on macOS each user has one of their own. */
const TEMPORARY =
  /^(?:\/tmp|\/var\/tmp|\/private\/tmp|\/private\/var\/tmp|\/private\/var\/folders\/[^/]+\/[^/]+\/T)\//;

/** What `mktemp` calls a folder that it makes for whoever asks: private, and an agent's own all the same. */
const MADE_BY_MKTEMP = /^tmp\.[A-Za-z0-9]{6,10}$/;

/** Folders of programs that people have running: hosts of agents, terminals, key agents, PactClaw. */
const RUNNING = new RegExp(
  `^(?:\\.|(?:${['pactclaw', 'tmux', 'screen', 'ssh', 'systemd', 'snap', 'dbus', 'vscode', ...FOOTPRINTS.flatMap(({ host, programs }) => [host, ...programs])].join('|')})(?:$|[-_.]))`,
);

/** Most entries of a folder that are looked at before it may be deleted. */
const MAX_LOOKED_AT = 2_000;

/**
 * Whether a real path is scratch in the system's temporary folder, which is nobody's work (U-9). It is not where the
 * workspace, the home or PactClaw lie below the same name, where another user owns a part of it, where a program keeps
 * a private folder, where somebody works (a repository, a workspace), or where something else than a file or a folder
 * stands. A folder that goes away as a whole is looked through. What cannot be looked at is no scratch.
 */
export function isTemporary(absolute: string, role: TargetRole, ground: Ground): boolean {
  const [start] = TEMPORARY.exec(absolute) ?? [];
  if (start === undefined || protectedAs(absolute, ground) !== null) return false;
  const names = absolute.slice(start.length).split('/');
  const top = `${start}${names[0]}`;
  if (RUNNING.test(fold(names[0] ?? '')) || names.some((name) => name === '..' || name === '')) return false;
  const kept = [ground.root, ground.home, ground.install];
  if (kept.some((path) => under(path, top))) return false;
  try {
    for (const at of names.keys()) {
      const path = `${start}${names.slice(0, at + 1).join('/')}`;
      const standing = standingAt(path);
      if (standing === null) return true;
      if (!isFree(path, standing, at === 0 && MADE_BY_MKTEMP.test(names[0] ?? ''))) return false;
    }
    const goes = role === 'delete' || role === 'move-from' || role === 'move-to';
    return !goes || !isMutatingRole(role) || holdsNothingElse(absolute, { left: MAX_LOOKED_AT });
  } catch {
    return false;
  }
}

/** A file or folder of this user that nobody marks as their own. */
function isFree(path: string, standing: Standing, mayBePrivate: boolean): boolean {
  if (!standing.isOwn || (standing.kind !== 'file' && standing.kind !== 'folder')) return false;
  if (standing.kind === 'file') return true;
  if (standing.isPrivate && !mayBePrivate) return false;
  return [GIT_NAME, SIDECAR].every((name) => standingAt(`${path}/${name}`) === null);
}

function holdsNothingElse(path: string, spent: { left: number }): boolean {
  if (standingAt(path)?.kind !== 'folder') return true;
  for (const { name, kind } of listFolder(path)) {
    spent.left -= 1;
    const inside = `${path}/${name}`;
    const standing = standingAt(inside);
    if (spent.left < 0 || standing === null || kind === 'other' || !standing.isOwn) return false;
    if (kind === 'folder' && !(isFree(inside, standing, true) && holdsNothingElse(inside, spent)))
      return false;
  }
  return true;
}
