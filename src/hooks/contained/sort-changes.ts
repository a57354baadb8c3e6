import { GIT_NAME } from '../../core/footprints/git.ts';
import { judgeGitChange } from '../../core/rules/git-folder.ts';
import type { PathRefusal } from '../../core/ruling.ts';
import type { TreeChange } from '../../execution/changes.ts';
import type { ChangedPath } from '../command/changed-path.ts';
import type { Undone } from '../command/undone.ts';

/** What a contained command changed, by what becomes of it. */
export interface Sorted {
  /** All that becomes real, in the order in which it was read. */
  readonly kept: readonly TreeChange[];
  /** Those of them that the ledger records. */
  readonly recorded: readonly TreeChange[];
  readonly refused: readonly (Undone & { readonly remedy: string })[];
  /** Names that a person changed meanwhile. */
  readonly conflicts: readonly TreeChange[];
}

export interface Sorting {
  readonly root: string;
  readonly judge: (change: ChangedPath) => PathRefusal | null;
  /** When the command began, by the clock of its file system. A real file that changed later was changed by somebody else. */
  readonly beganNs: bigint;
  /** Those of the names that lie in a folder which git ignores: by-products, nobody's work. */
  readonly byproducts: (names: readonly Buffer[]) => ReadonlySet<string>;
}

/** Why a change cannot become real wherever it lies, or null. */
function problemOf({ after }: TreeChange): string | null {
  if (after?.kind === 'other') return 'it is a pipe, a socket or a device';
  if (after?.kind === 'file' && (after.mode & 0o6000) !== 0)
    return 'it would run with the rights of its owner (setuid)';
  return null;
}

const key = (name: Buffer): string => name.toString('latin1');

/** Folders that other changes lie in: they are judged by what is in them. */
function outerFolders(changes: readonly TreeChange[]): ReadonlySet<string> {
  const outer = new Set<string>();
  for (const { name } of changes)
    for (let at = name.lastIndexOf('/'); at > 0; at = name.lastIndexOf('/', at - 1)) {
      const folder = key(name.subarray(0, at));
      if (outer.has(folder)) break;
      outer.add(folder);
    }
  return outer;
}

/** Real files that the command deleted or renamed, by number. */
function takenBy(changes: readonly TreeChange[]): ReadonlySet<bigint> {
  return new Set(changes.flatMap(({ what, before }) => (what === 'delete' && before ? [before.inode] : [])));
}

function isFolder({ before, after }: TreeChange): boolean {
  return (after ?? before)?.kind === 'folder';
}

/**
 * Sorts the changes of a contained command, each judged as a call would be that names the path. What git keeps in its own
 * folder goes by rules of its own.
 */
export function sortChanges(changes: readonly TreeChange[], sorting: Sorting): Sorted {
  const { root, judge, beganNs, byproducts } = sorting;
  const outer = outerFolders(changes);
  const taken = takenBy(changes);
  const kept: TreeChange[] = [];
  const recorded: TreeChange[] = [];
  const conflicts: TreeChange[] = [];
  const doubted: { change: TreeChange; refusal: PathRefusal }[] = [];
  for (const change of changes) {
    const path = change.name.toString();
    const inGit = path.startsWith(`${GIT_NAME}/`) ? judgeGitChange(path.slice(GIT_NAME.length + 1)) : null;
    if (inGit === 'drop') continue;
    const implied = isFolder(change) && change.what !== 'mode' && outer.has(key(change.name));
    const problem = problemOf(change);
    const role = change.after === null ? 'delete' : 'write';
    const isFree = implied || (problem === null && inGit === 'keep');
    const refusal = isFree ? null : judge({ absolute: `${root}/${path}`, role, problem });
    const { before, madeFrom } = change;
    // Made from a real file that is gone, and not by the command: a person has deleted it.
    const isGone = before === null && madeFrom !== undefined && !taken.has(madeFrom);
    const isTheirs = isGone || (before !== null && before.kind !== 'folder' && before.changedNs >= beganNs);
    if (refusal !== null) doubted.push({ change, refusal });
    else if (isTheirs) conflicts.push(change);
    else {
      kept.push(change);
      if (inGit === null && !isFolder(change)) recorded.push(change);
    }
  }
  const candidates = doubted.filter(
    ({ refusal }) => refusal.kind === 'scope' && !refusal.finding.startsWith('cannot'),
  );
  const free =
    candidates.length === 0 ? new Set<string>() : byproducts(candidates.map(({ change }) => change.name));
  const isByproduct = (change: TreeChange) => free.has(key(change.name));
  const stays = new Set([...kept, ...candidates.map(({ change }) => change).filter(isByproduct)]);
  return {
    kept: changes.filter((change) => stays.has(change)),
    recorded,
    conflicts,
    refused: doubted
      .filter(({ change }) => !isByproduct(change))
      .map(({ change, refusal }) => ({
        path: change.name.toString(),
        why: `it ${refusal.finding}`,
        kind: refusal.kind,
        kept: null,
        remedy: refusal.remedy,
      })),
  };
}
