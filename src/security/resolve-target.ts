import type { ResolvedTarget } from '../core/facts.ts';
import { isMutatingRole, type NamedTarget } from '../core/tool-call.ts';
import { expandHome } from '../platform/home.ts';
import { realPathOf } from '../platform/resolve-path.ts';
import { type ForbiddenPlace, forbiddenOver, walkedInto } from './forbidden.ts';
import { type Ground, isScratch, protectedAs } from './protected.ts';
import { isTemporary } from './scratch.ts';

/** A target with what resolving it found out besides. */
export interface FoundTarget extends ResolvedTarget {
  readonly exists: boolean;
  readonly isDirectory: boolean;
}

/** Special files that commands write to without changing anything. */
const SINKS = new Set(['/dev/null', '/dev/stdout', '/dev/stderr', '/dev/tty', '/dev/zero']);

function relativeTo(root: string, absolute: string): string | null {
  if (absolute === root) return '';
  return absolute.startsWith(`${root}/`) ? absolute.slice(root.length + 1) : null;
}

/** What a real path belongs to. */
export function standingOf(
  absolute: string,
  ground: Ground,
  forbidden: readonly ForbiddenPlace[],
): Pick<ResolvedTarget, 'relative' | 'absolute' | 'protectedAs' | 'scratch' | 'forbiddenBy'> {
  return {
    relative: relativeTo(ground.root, absolute),
    absolute,
    protectedAs: protectedAs(absolute, ground),
    ...(isScratch(absolute, ground) ? { scratch: true } : {}),
    forbiddenBy: forbiddenOver(absolute, forbidden) ?? walkedInto(absolute, forbidden),
  };
}

/** Why a path that resolves is still not one place to write to. */
function doubtOf(startsAtHome: boolean, links: number): string | null {
  if (startsAtHome) return 'it begins with `~`, which not every tool reads alike; spell it out';
  return links > 1 ? 'it has another hard link' : null;
}

/** Whether a guessed path is only text: nothing can be made under a top folder that does not exist. */
function isText(spelled: string): boolean {
  const [, top] = /^\/+([^/]+)/.exec(spelled) ?? [];
  return top !== undefined && !top.startsWith('.') && !realPathOf(`/${top}`, '/').exists;
}

/**
 * Where a named path really leads and what it belongs to (H-61). `ground.root` must be a real path. The owner is
 * filled in by the caller. A file with a second hard link is a problem: writing it changes another path too.
 */
export function resolveTarget(
  named: NamedTarget,
  cwd: string,
  ground: Ground,
  forbidden: readonly ForbiddenPlace[],
): FoundTarget | null {
  const asked = named.path;
  // Some hosts read a leading `~` as the home folder: reading is judged there, and nothing is written by guesswork.
  const spelled = expandHome(asked, ground.home);
  if (named.guess && isText(spelled)) return null;
  const real = realPathOf(spelled, cwd);
  if (SINKS.has(real.absolute) && named.role !== 'delete') return null;
  const problem =
    named.problem ??
    real.problem ??
    (isMutatingRole(named.role) ? doubtOf(spelled !== asked, real.links) : null);
  const standing = standingOf(real.absolute, ground, forbidden);
  const protection = standing.protectedAs ?? (real.problem ? protectedAs(asked, ground) : null);
  // What an undeclared tool does inside the workspace is compared afterwards.
  const isWatched = standing.relative !== null && (named.problem ?? real.problem) === null;
  if (named.guess && isWatched && protection === null && standing.forbiddenBy === null) return null;
  const isFree = problem === null && isTemporary(real.absolute, named.role, ground);
  return {
    ...standing,
    ...(isFree ? { scratch: true } : {}),
    asked,
    role: named.role,
    protectedAs: protection,
    problem,
    owner: null,
    exists: real.exists,
    isDirectory: real.isDirectory,
  };
}
