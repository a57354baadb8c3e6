import { sameBytes } from '../platform/same-bytes.ts';
import { below, type Entry, entryAt, linkTarget, namesAt, namesOf } from '../platform/tree.ts';

/** One name that a command left different from what it found. */
export interface TreeChange {
  /** Relative to the folder of the layer, as bytes. */
  readonly name: Buffer;
  readonly what: 'create' | 'modify' | 'delete' | 'mode';
  /** What stands at the name in the real tree; null where nothing does. */
  readonly before: Entry | null;
  /** What the command left there; null where it left nothing. */
  readonly after: Entry | null;
  /**
   * Inode number of the real file that this one was made from by writing to it or renaming it; absent for a new one. The
   * overlay has marked it with an attribute.
   */
  readonly madeFrom?: bigint;
}

/** A view that a command has written through, while it is still mounted. */
export interface View {
  readonly lower: Buffer;
  readonly upper: Buffer;
  /** The view itself, where the kernel has joined the two; null where nothing that it hides counts as deleted. */
  readonly merged: Buffer | null;
  /** When the command began, by the clock of the file system. */
  readonly beganNs: bigint;
}

const NONE = Buffer.alloc(0);

function joined(folder: Buffer, name: Buffer): Buffer {
  return folder.length === 0 ? name : below(folder, name);
}

function placed(root: Buffer, name: Buffer): Buffer {
  return name.length === 0 ? root : below(root, name);
}

/** Whether two files or links hold the same. A copy is made as soon as a file is opened for writing. */
function holdsSame(view: View, name: Buffer, before: Entry, after: Entry): boolean {
  if (before.kind !== after.kind) return false;
  const [was, is] = [placed(view.lower, name), placed(view.upper, name)];
  if (after.kind === 'link') return linkTarget(was).equals(linkTarget(is));
  return after.kind === 'file' && before.size === after.size && sameBytes(was, is);
}

/**
 * What a command changed, as its upper layer says: each file, link and folder by its own name, a folder before what is
 * in it when it was made, and after it when it went. Reads the folders that were written to and nothing else. Where a
 * folder hides what is below it (opaque) is seen by what the view shows, so that no attribute needs to be read.
 */
export function* readChanges(view: View): Generator<TreeChange> {
  yield* inFolder(view, NONE, true);
}

/** `merges`: the real tree has this folder too, and the view shows both. */
function* inFolder(view: View, folder: Buffer, merges: boolean): Generator<TreeChange> {
  const seen = new Set<string>();
  for (const base of namesAt(placed(view.upper, folder))) {
    seen.add(base.toString('latin1'));
    const name = joined(folder, base);
    const after = entryAt(placed(view.upper, name));
    const before = merges ? entryAt(placed(view.lower, name)) : null;
    if (after !== null) yield* atName(view, name, before, after);
  }
  if (!merges || folder.length === 0 || view.merged === null) return;
  const lower = namesAt(placed(view.lower, folder)).filter((base) => !seen.has(base.toString('latin1')));
  for (const name of hiddenIn(view, view.merged, folder, lower)) yield* gone(view, name);
}

/**
 * Names that a folder hides because the command deleted it and made it anew (opaque). INVARIANT (theirs is not ours): a view
 * remembers what it has listed and looked up, so that a file which somebody else has made since then is not in it either. A
 * name is gone only if the view neither lists nor finds it, and it has not been touched since the command began.
 */
function hiddenIn(view: View, merged: Buffer, folder: Buffer, lower: readonly Buffer[]): Buffer[] {
  if (lower.length === 0) return [];
  // Throws where the view is gone: it must never look like one that shows nothing.
  const listed = new Set(namesOf(placed(merged, folder)).map((base) => base.toString('latin1')));
  return lower
    .filter((base) => !listed.has(base.toString('latin1')))
    .map((base) => joined(folder, base))
    .filter((name) => {
      const there = entryAt(placed(view.lower, name));
      return there !== null && there.changedNs < view.beganNs && entryAt(placed(merged, name)) === null;
    });
}

function* atName(view: View, name: Buffer, before: Entry | null, after: Entry): Generator<TreeChange> {
  if (after.kind === 'whiteout') {
    if (before !== null) yield* gone(view, name);
    return;
  }
  if (before !== null && before.kind !== after.kind) yield* gone(view, name);
  const same = before?.kind === after.kind ? before : null;
  if (after.kind === 'folder') {
    if (same === null) yield { name, what: 'create', before: null, after };
    else if (same.mode !== after.mode) yield { name, what: 'mode', before: same, after };
    yield* inFolder(view, name, same !== null);
  } else if (same === null)
    yield { name, what: 'create', before: null, after, ...madeFrom(view, name, after) };
  else if (!holdsSame(view, name, same, after))
    yield { name, what: 'modify', before: same, after, ...madeFrom(view, name, after) };
  else if (after.kind === 'file' && same.mode !== after.mode)
    yield { name, what: 'mode', before: same, after };
}

/** A view shows a file that was copied up under the number that it had below. */
function madeFrom({ merged }: View, name: Buffer, after: Entry): { readonly madeFrom?: bigint } {
  const shown = merged === null || after.kind !== 'file' ? null : entryAt(placed(merged, name));
  return shown === null || shown.inode === after.inode ? {} : { madeFrom: shown.inode };
}

/** Everything that stood at a name in the real tree, the inner before the outer. */
function* gone(view: View, name: Buffer): Generator<TreeChange> {
  const before = entryAt(placed(view.lower, name));
  if (before === null) return;
  if (before.kind === 'folder')
    for (const base of namesAt(placed(view.lower, name))) yield* gone(view, below(name, base));
  yield { name, what: 'delete', before, after: null };
}
