import { PactError } from '../../core/errors.ts';
import type { PathRefusal } from '../../core/ruling.ts';
import type { ViolationKind } from '../../core/words.ts';
import type { Preimage } from '../../ledger/port.ts';
import type { Store } from '../../ledger/store.ts';
import { newUuid } from '../../platform/clock.ts';
import { closeToOthers, exists, makeDirectory, makePrivateFolder, moveAside } from '../../platform/files.ts';
import { type FileChange, type SnapshotEntry, Snapshots, UNSEEN_MODE } from '../../security/snapshot.ts';
import { onlyTightens } from '../settings/tighten.ts';
import type { Workspace } from '../workspace.ts';
import type { ChangedPath } from './changed-path.ts';
import { INDEX_SEAL } from './index-seal.ts';
import type { Undone } from './undone.ts';
import { findTampering, isDisplaced, undoTampering } from './vault.ts';

/** What a command did to the workspace, after everything outside its scope was put back. */
export interface Reconciliation {
  readonly kept: readonly FileChange[];
  readonly undone: readonly Undone[];
  /** Snapshot after the command, for reading content. */
  readonly snapshots: Snapshots;
  /** Nobody has looked: a watch on the tree says that nothing changed. */
  readonly vouched: boolean;
}

/** Whose work a change may be besides this command's. */
export interface Others {
  /** Another call in flight, or recorded meanwhile, answers for this path. */
  readonly claims: (path: string) => boolean;
}

/**
 * Most files of one command that are recorded. With more, recording takes longer than the host waits, and a hook that
 * is killed leaves no word of what it found.
 */
const MAX_KEPT = 10_000;
/** Rounds of undoing; the last must find nothing. */
const ROUNDS = 4;

/** How the changes of a call are judged. */
export interface Judging {
  /** What stands against a change; null allows it. */
  readonly judge: (change: ChangedPath) => Pick<PathRefusal, 'finding' | 'kind'> | null;
  readonly others: Others;
}

function changedPath(root: string, change: FileChange, snapshots: Snapshots): ChangedPath {
  const { path, after, afterMode } = change;
  const unseen = afterMode === UNSEEN_MODE && !snapshots.isLarge(change);
  return {
    absolute: `${root}/${path}`,
    role: after === null ? 'delete' : 'write',
    problem: unseen ? 'its content cannot be watched (a repository, a pipe, …)' : null,
  };
}

function keepAside(workspace: Workspace, folder: string, from: string | Buffer, path: string): string | null {
  if (!exists(from)) return null;
  const place = `${workspace.layout.quarantine}/${folder}/${path}`;
  // Do not overwrite what an earlier round stored.
  const to = exists(place) ? `${place}.${newUuid()}` : place;
  try {
    makePrivateFolder(workspace.layout.quarantine);
    makeDirectory(to.slice(0, to.lastIndexOf('/')));
    // Moved, not copied: a link to a device has no end, and a huge file would use up the time for putting back.
    moveAside(from, to);
    closeToOthers(to);
    return to.slice(workspace.ground.root.length + 1);
  } catch {
    return null;
  }
}

/** What a reconciliation is for. */
interface Work {
  /** ID of the intent that the call was made for. */
  readonly own: string | null;
  readonly folder: string;
  /**
   * Reads what the changes are judged by. Called when the governing files are as they were, so that a command which
   * widens its own scope gains nothing by it.
   */
  readonly judging: () => Promise<Judging>;
  /** Called before anything is put back. */
  readonly tell: (back: { changes?: readonly FileChange[]; images?: readonly Preimage[] }) => void;
}

/** Puts governing files back as they were, but for changes that only tighten; gives the paths of those. */
async function restoreGoverning(
  workspace: Workspace,
  images: readonly Preimage[],
  work: Work,
  undone: Map<string, Undone>,
): Promise<ReadonlySet<string>> {
  const tolerated = new Set<string>();
  for (const tampering of findTampering(workspace, images)) {
    if (!isDisplaced(tampering) && (await onlyTightens(workspace, tampering, work.own))) {
      tolerated.add(tampering.now.path);
      continue;
    }
    work.tell({ images: [tampering.before] });
    const name = tampering.now.path.replaceAll('/', '%');
    const place = `${workspace.layout.quarantine}/${work.folder}/${name}`;
    undoTampering(tampering, workspace.ground.root, place);
    const shown = tampering.now.path.startsWith(`${workspace.ground.root}/`)
      ? tampering.now.path.slice(workspace.ground.root.length + 1)
      : tampering.now.path;
    undone.set(shown, {
      path: shown,
      why: 'it is protected',
      kept: tampering.now.content ? place.slice(workspace.ground.root.length + 1) : null,
    });
  }
  return tolerated;
}

/**
 * Finds everything in the workspace that changed since `before`, puts back what lies outside the intent's scope,
 * is protected or is another intent's, and says what it did (H-63). What is put back is first kept in quarantine,
 * because a human may have been editing at the same moment. Repeats until nothing out of scope is left, so that a
 * new ignore file cannot hide what came with it.
 */
export async function reconcile(
  workspace: Workspace,
  store: Store,
  before: {
    readonly snapshot: string;
    /** SHA-256 of what the snapshot listed when it was taken. */
    readonly listing: string;
    /** Files that count as another command's undoing left them, and not as the snapshot has them. */
    readonly entries: readonly SnapshotEntry[];
    readonly images: readonly Preimage[];
  },
  work: Work,
): Promise<Reconciliation> {
  const undone = new Map<string, Undone>();
  // First, since a governing file can decide what a snapshot sees, and since a snapshot may fail.
  let tolerated = await restoreGoverning(workspace, before.images, work, undone);
  // Again, since a `.git` file that was put back can say that the hooks lie elsewhere.
  if (undone.size > 0) tolerated = await restoreGoverning(workspace, before.images, work, undone);
  const snapshots = new Snapshots(workspace.layout, workspace.snapshotMs, store.note(INDEX_SEAL));
  const { judge, others } = await work.judging();
  const base = snapshots.amend(before.snapshot, before.entries);
  const warm = workspace.proofs?.().tree;
  let vouched = false;
  let kept: FileChange[] = [];
  for (let round = 1; round <= ROUNDS; round += 1) {
    kept = [];
    const wrong: { change: FileChange; why: string; kind: ViolationKind }[] = [];
    const seen = (await warm?.take(snapshots, false)) ?? { tree: snapshots.take(), vouched: false };
    const after = seen.tree;
    vouched = seen.vouched;
    if (round === 1 && after !== base) snapshots.verify(before.snapshot, before.listing);
    for (const change of snapshots.changes(base, after)) {
      if (others.claims(change.path) || tolerated.has(`${workspace.ground.root}/${change.path}`)) continue;
      const refusal = judge(changedPath(workspace.ground.root, change, snapshots));
      if (refusal === null) {
        kept.push(change);
        continue;
      }
      const { kind } = refusal;
      const why = `it ${refusal.finding}`;
      // The earlier bytes are not known.
      if (change.beforeMode === UNSEEN_MODE)
        undone.set(change.path, { path: change.path, why, kind, kept: null, stands: true });
      else wrong.push({ change, why, kind });
    }
    if (wrong.length === 0) break;
    const changes = wrong.map(({ change }) => change);
    work.tell({ changes });
    for (const { change, why, kind } of wrong) {
      const kept = keepAside(workspace, work.folder, snapshots.placeOf(change), change.path);
      undone.set(change.path, {
        path: change.path,
        why,
        kind,
        kept: kept ?? undone.get(change.path)?.kept ?? null,
      });
    }
    if (round === ROUNDS)
      throw new PactError(
        'INVARIANT_BROKEN',
        `${changes[0]?.path} comes back whenever it is undone`,
        'Look at it.',
      );
    snapshots.restore(base, changes);
  }
  for (const { path, kept } of snapshots.displaced)
    undone.set(path, { path, why: 'it was not a file, though git reads it as one', kept });
  store.transact((tx) => tx.putNote(INDEX_SEAL, snapshots.seal ?? ''));
  if (kept.length > MAX_KEPT) {
    const why = `${kept.length} files inside the scope were changed, more than can be recorded`;
    undone.set('the workspace', { path: 'the workspace', why, kind: 'breadth', kept: null, stands: true });
    kept = [];
  }
  return { kept, undone: [...undone.values()], snapshots, vouched };
}
