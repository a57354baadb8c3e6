import { isUtf8 } from 'node:buffer';
import { sha256 } from '../core/digest.ts';
import { PactError } from '../core/errors.ts';
import type { Layout } from '../core/layout.ts';
import { newUuid } from '../platform/clock.ts';
import { markOfAny } from '../platform/file-mark.ts';
import {
  copyFileWithTime,
  exists,
  isDirectory,
  moveAside,
  removeAll,
  removeFile,
} from '../platform/files.ts';
import { type GitPlace, git, tryGit } from '../platform/git.ts';
import { gitFolders } from '../platform/git-head.ts';
import { OBEYED_FOLDERS } from './protected.ts';
import { prepareShadow } from './shadow.ts';

/** A file that differs between two snapshots. `before`/`after` are object ids, null where it did not exist. */
export interface FileChange {
  readonly path: string;
  /** The name's bytes when they are no UTF-8 and `path` only shows them. */
  readonly raw: Buffer | null;
  readonly before: string | null;
  readonly after: string | null;
  readonly beforeMode: string;
  readonly afterMode: string;
}

/** A file as a snapshot holds it; `object` is null where there is none. */
export interface SnapshotEntry {
  readonly name: Buffer;
  readonly mode: string;
  readonly object: string | null;
}

const ZERO = /^0+$/;
/** Mode of an entry whose content is not in the snapshot: a nested repository, or what git could not take in. */
export const UNSEEN_MODE = '160000';
/** How many files one git process reads at once. */
const BATCH = 200;
const NUL = Buffer.from('\0');
const SLASH = 0x2f;

/** Splits what git printed with `-z`. Names are bytes to git, and not every one is text. */
function namesIn(output: Buffer): Buffer[] {
  const names: Buffer[] = [];
  for (let at = 0; at < output.length; ) {
    const end = output.indexOf(0, at);
    names.push(output.subarray(at, end < 0 ? output.length : end));
    at = end < 0 ? output.length : end + 1;
  }
  return names;
}

/**
 * Snapshots of a work tree, taken with git's own stat cache: only files whose stat changed are read again, so the
 * cost follows the number of files that changed and not their bytes (H-63). They live in a private repository
 * inside the sidecar and never touch the user's index, objects or settings.
 */
export class Snapshots {
  readonly #place: GitPlace;

  /** `seal` is what {@link Snapshots.seal} was after the last snapshot of any process; null when nobody knows. */
  constructor(
    private readonly layout: Layout,
    timeoutMs: number,
    public seal: string | null = null,
  ) {
    const objects = `${gitFolders(layout.root)?.common}/objects`;
    this.#place = {
      gitDir: layout.shadow,
      workTree: layout.root,
      timeoutMs,
      ...(isDirectory(objects) ? { alternates: objects } : {}),
    };
  }

  /** Records the work tree as it is now and returns the snapshot's id. */
  take(): string {
    prepareShadow(this.#place);
    const shared = `${this.layout.shadow}/index`;
    // An index that was not left by us may carry marks that make git look away (skip-worktree, a forged stat).
    if (exists(shared) && markOfAny(shared) !== this.seal) removeAll(shared);
    const index = `${this.layout.shadow}/index-${newUuid()}`;
    // With its time: git takes a file changed in the same instant as the index for unknown, and reads it again.
    if (exists(shared)) copyFileWithTime(shared, index);
    const place = { ...this.#place, index };
    try {
      const added = tryGit(place, ['add', '--all', '--ignore-errors', '--', '.']);
      if (added.code !== 0) this.#enterUnseen(place);
      const obeyed = OBEYED_FOLDERS.filter((folder) => isDirectory(`${this.layout.root}/${folder}`));
      // Apart from each other: git adds none of a list when it cannot reach one of them.
      for (const names of [this.#ignoredFiles(place), obeyed])
        if (names.length > 0)
          tryGit(
            place,
            ['add', '--force', '--ignore-errors', '--pathspec-from-file=-', '--pathspec-file-nul'],
            names.join('\0'),
          );
      const tree = git(place, ['write-tree']).toString('latin1').trim();
      moveAside(index, shared);
      this.seal = markOfAny(shared);
      return tree;
    } finally {
      removeFile(index);
      removeFile(`${index}.lock`);
    }
  }

  /**
   * Enters what git could not take in (a pipe in a file's place, a repository without a commit, a file that cannot
   * be read or stored) by its mark, so that it shows as a change instead of being looked past.
   */
  #enterUnseen(place: GitPlace): void {
    const unseen = [
      ...namesIn(git(place, ['diff-files', '--name-only', '-z'])),
      ...namesIn(git(place, ['ls-files', '--others', '--exclude-standard', '--directory', '-z'])),
    ];
    const lines = unseen.map((name) => {
      const file = Buffer.concat([Buffer.from(`${this.layout.root}/`), name]);
      // A folder's own mark changes with every file in it, and those of a nested repository are not watched.
      const mark = name.at(-1) === SLASH ? 'folder' : markOfAny(file);
      const path = name.at(-1) === SLASH ? name.subarray(0, -1) : name;
      return Buffer.concat([Buffer.from(`${UNSEEN_MODE} ${sha256(mark).slice(0, 40)}\t`), path, NUL]);
    });
    if (lines.length > 0) git(place, ['update-index', '-z', '--index-info'], Buffer.concat(lines));
  }

  /** Single files that .gitignore names (a `.env`): watched too. Ignored folders are build output and are not. */
  #ignoredFiles(place: GitPlace): string[] {
    const listed = git(place, [
      'ls-files',
      '--others',
      '--ignored',
      '--exclude-standard',
      '--directory',
      '-z',
    ]).toString('utf8');
    return listed
      .split('\0')
      .filter((path) => path !== '' && !path.endsWith('/') && !path.startsWith('.orchestration/'))
      .slice(0, 500);
  }

  /** What differs between two snapshots. */
  changes(before: string, after: string): FileChange[] {
    if (before === after) return [];
    const words = namesIn(
      git(this.#place, ['diff-tree', '-r', '-z', '--no-renames', '--no-commit-id', before, after]),
    );
    const found: FileChange[] = [];
    for (let at = 0; at + 1 < words.length; at += 2) {
      const [beforeMode = '', afterMode = '', from = '', to = ''] = String(words[at]).slice(1).split(' ');
      const name = words[at + 1] as Buffer;
      found.push({
        path: name.toString('utf8'),
        raw: isUtf8(name) ? null : name,
        before: ZERO.test(from) ? null : from,
        after: ZERO.test(to) ? null : to,
        beforeMode,
        afterMode,
      });
    }
    return found;
  }

  /** Recorded files' bytes by their object ids, read by few processes: a command may have changed thousands. */
  read(objects: Iterable<string>): ReadonlyMap<string, Buffer> {
    const found = new Map<string, Buffer>();
    const wanted = [...new Set(objects)];
    for (let from = 0; from < wanted.length; from += BATCH) {
      const some = wanted.slice(from, from + BATCH);
      const output = git(this.#place, ['cat-file', '--batch'], `${some.join('\n')}\n`);
      let at = 0;
      for (const object of some) {
        const end = output.indexOf(10, at);
        const [, type, size] = output.toString('latin1', at, end).split(' ');
        if (type !== 'blob') throw new Error(`the snapshot has lost ${object}`);
        const begin = end + 1;
        at = begin + Number(size) + 1;
        found.set(object, output.subarray(begin, at - 1));
      }
    }
    return found;
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
      Buffer.from(`${object === null ? 0 : mode} ${object ?? '0'.repeat(40)}\t`),
      name,
      NUL,
    ]);
    return this.#withIndexOf(snapshot, (place) => {
      git(place, ['update-index', '--replace', '-z', '--index-info'], Buffer.concat(lines));
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
    const names = back.flatMap(({ raw, path }) => [raw ?? Buffer.from(path), NUL]);
    try {
      this.#withIndexOf(snapshot, (place) =>
        git(place, ['checkout-index', '--force', '-z', '--stdin'], Buffer.concat(names)),
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
