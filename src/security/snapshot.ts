import { PactError } from '../core/errors.ts';
import type { Layout } from '../core/layout.ts';
import { newUuid } from '../platform/clock.ts';
import { markOfAny } from '../platform/file-mark.ts';
import {
  copyFileWithTime,
  exists,
  findIrregular,
  isDirectory,
  lookAt,
  makePrivateFolder,
  moveAside,
  removeAll,
  removeFile,
} from '../platform/files.ts';
import { type GitPlace, git } from '../platform/git.ts';
import { gitFolders } from '../platform/git-head.ts';
import { changesIn, type FileChange, type SnapshotEntry } from './file-change.ts';
import {
  enterFiles,
  listChanged,
  listChangedLater,
  listingDigest,
  MAX_CONTENT,
  terminated,
  trackedIgnored,
  UNSEEN_MODE,
} from './intake.ts';
import { readObjects } from './objects.ts';
import { toSeal, toText } from './seal.ts';
import { prepareShadow } from './shadow.ts';

export type { FileChange, SnapshotEntry };
export { UNSEEN_MODE };

/** Files that git itself opens while it looks at a folder. */
const READ_BY_GIT: ReadonlySet<string> = new Set(['.gitignore', '.gitattributes', '.gitmodules']);

/** Something that stood in the place of a file that git reads, and where it was moved to. */
export interface Displaced {
  readonly path: string;
  readonly kept: string;
}

/**
 * Snapshots of a work tree, taken with git's own stat cache: only files whose stat changed are read again, so the
 * cost follows the number of files that changed and not their bytes (H-63). They live in a private repository
 * inside the sidecar and never touch the user's index, objects or settings.
 */
export class Snapshots {
  readonly #place: GitPlace;

  readonly #userIndex: string;
  /** What was moved out of git's way while snapshots were taken. */
  readonly displaced: Displaced[] = [];
  /** Folders that the last snapshot did not look into, because they are ignored as a whole; null where unsure. */
  ignored: readonly string[] | null = null;

  /** `seal` is what {@link Snapshots.seal} was after the last snapshot of any process; null when nobody knows. */
  constructor(
    private readonly layout: Layout,
    timeoutMs: number,
    public seal: string | null = null,
  ) {
    const folders = gitFolders(layout.root);
    const objects = `${folders?.common}/objects`;
    this.#userIndex = `${folders?.own}/index`;
    this.#place = {
      gitDir: layout.shadow,
      workTree: layout.root,
      timeoutMs,
      ...(isDirectory(objects) ? { alternates: objects } : {}),
    };
  }

  /** SHA-256 of what the last snapshot lists. */
  get digest(): string {
    return toSeal(this.seal)?.digest ?? '';
  }

  /**
   * Records the work tree as it is now and returns the snapshot's id. `begins`: nothing runs yet, so what the user has
   * added to git meanwhile is the user's.
   */
  take(begins = false): string {
    try {
      return this.#record({ ...this.#place, timeoutMs: Math.ceil(this.#place.timeoutMs / 3) }, begins);
    } catch (error) {
      if (!(error instanceof PactError) || error.code !== 'TIMEOUT') throw error;
      // Git waits for ever when it opens a pipe.
      this.#moveIrregular();
      return this.#record(this.#place, begins);
    }
  }

  #record(place: GitPlace, begins: boolean): string {
    prepareShadow(place);
    const shared = `${this.layout.shadow}/index`;
    const sealed = toSeal(this.seal);
    // An index that was not left by us may carry marks that make git look away (skip-worktree, a forged stat).
    if (exists(shared) && markOfAny(shared) !== sealed?.mark) removeAll(shared);
    const known = exists(shared) ? sealed : null;
    const user = known && !begins ? known.user : markOfAny(this.#userIndex);
    const isSameUser = user === (known?.user ?? '');
    const listed = listChanged({ ...place, index: shared });
    // Tracked files in an ignored folder are listed from the next walk on.
    this.ignored = isSameUser ? listed.folders : null;
    const names = [...listed.names, ...(isSameUser ? [] : trackedIgnored(place, this.#userIndex))];
    if (known && names.length === 0) {
      this.seal = toText({ ...known, user });
      return known.tree;
    }
    const index = `${this.layout.shadow}/index-${newUuid()}`;
    // With its time: git takes a file changed in the same instant as the index for unknown, and reads it again.
    if (exists(shared)) copyFileWithTime(shared, index);
    try {
      const at = { ...place, index };
      enterFiles(at, names);
      const tree = git(at, ['write-tree']).toString('latin1').trim();
      const digest = listingDigest(at);
      moveAside(index, shared);
      this.seal = toText({ mark: markOfAny(shared), tree, digest, user });
      return tree;
    } finally {
      removeFile(index);
      removeFile(`${index}.lock`);
    }
  }

  /**
   * The last snapshot of any process, if its index is still the one that was left and the user has added nothing to git
   * since; null otherwise. Says nothing of the work tree.
   */
  latest(begins: boolean): string | null {
    const sealed = toSeal(this.seal);
    if (!sealed || markOfAny(`${this.layout.shadow}/index`) !== sealed.mark) return null;
    return begins && markOfAny(this.#userIndex) !== sealed.user ? null : sealed.tree;
  }

  /** Names that may differ from the last snapshot, without waiting for the walk; null where it failed. */
  changedLater(): Promise<Buffer[] | null> {
    return listChangedLater({ ...this.#place, index: `${this.layout.shadow}/index` });
  }

  #moveIrregular(): void {
    const { root, quarantine } = this.layout;
    for (const name of findIrregular(root, READ_BY_GIT)) {
      makePrivateFolder(quarantine);
      const kept = `${quarantine}/irregular-${newUuid()}`;
      moveAside(Buffer.concat([Buffer.from(`${root}/`), name]), kept);
      this.displaced.push({ path: name.toString(), kept: kept.slice(root.length + 1) });
    }
  }

  /**
   * Throws when a snapshot no longer lists what it listed when it was taken: something else was stored under its name.
   * `digest` is {@link Snapshots.digest} from then.
   */
  verify(snapshot: string, digest: string): void {
    let cause: unknown = null;
    try {
      if (this.#withIndexOf(snapshot, listingDigest) === digest) return;
    } catch (error) {
      cause = error;
    }
    throw new PactError(
      'INVARIANT_BROKEN',
      'the record of the files from before the command was forged or lost',
      'Look at what the command did; compare the work tree with git.',
      {},
      { cause },
    );
  }

  /** Whether what stands there now is a regular file that is too large for a snapshot. */
  isLarge(change: FileChange): boolean {
    const { kind, bytes } = lookAt(this.placeOf(change));
    return kind === 'file' && bytes > MAX_CONTENT;
  }

  /** What differs between two snapshots. */
  changes(before: string, after: string): FileChange[] {
    if (before === after) return [];
    return changesIn(
      git(this.#place, ['diff-tree', '-r', '-z', '--no-renames', '--no-commit-id', before, after]),
    );
  }

  /** Recorded files' bytes by their object ids. */
  read(objects: Iterable<string>): ReadonlyMap<string, Buffer> {
    return readObjects(this.#place, objects);
  }

  /** Where a changed file stands. */
  placeOf({ raw, path }: FileChange): string | Buffer {
    const { root } = this.layout;
    return raw ? Buffer.concat([Buffer.from(`${root}/`), raw]) : `${root}/${path}`;
  }

  /** The same snapshot with some files as these entries say. */
  amend(snapshot: string, entries: readonly SnapshotEntry[]): string {
    if (entries.length === 0) return snapshot;
    // Removals first: a file may stand where a folder was.
    const gone = entries.filter(({ object }) => object === null);
    const there = entries.filter(({ object }) => object !== null);
    const lines = [...gone, ...there].flatMap(({ name, mode, object }) => [
      Buffer.concat([Buffer.from(`${object === null ? 0 : mode} ${object ?? '0'.repeat(40)}\t`), name]),
    ]);
    return this.#withIndexOf(snapshot, (place) => {
      git(place, ['update-index', '--replace', '-z', '--index-info'], terminated(lines));
      return git(place, ['write-tree']).toString('latin1').trim();
    });
  }

  /** Works on an index that holds a snapshot and goes away with the work. */
  #withIndexOf<T>(snapshot: string, work: (place: GitPlace) => T): T {
    const index = `${this.layout.shadow}/index-${newUuid()}`;
    const place = { ...this.#place, index };
    try {
      git(place, ['read-tree', snapshot]);
      return work(place);
    } finally {
      removeFile(index);
    }
  }

  /** Puts files back as a snapshot has them, and removes those that it does not have. */
  restore(snapshot: string, changes: readonly FileChange[]): void {
    const back = changes.filter(({ before, beforeMode }) => before !== null && beforeMode !== UNSEEN_MODE);
    for (const change of changes) if (change.before === null) removeAll(this.placeOf(change));
    if (back.length === 0) return;
    const names = back.map(({ raw, path }) => raw ?? Buffer.from(path));
    try {
      this.#withIndexOf(snapshot, (place) =>
        git(place, ['checkout-index', '--force', '-z', '--stdin'], terminated(names)),
      );
    } catch (error) {
      throw new PactError(
        'INVARIANT_BROKEN',
        'files changed outside the scope could not be restored',
        `Look at: ${back
          .slice(0, 5)
          .map(({ path }) => path)
          .join(', ')}`,
        {},
        { cause: error },
      );
    }
  }
}
