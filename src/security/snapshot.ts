import { PactError } from '../core/errors.ts';
import type { Layout } from '../core/layout.ts';
import { newUuid } from '../platform/clock.ts';
import {
  copyFileWithTime,
  createFile,
  exists,
  isDirectory,
  makeDirectory,
  markOfAny,
  moveAside,
  readRegular,
  removeAll,
  removeFile,
} from '../platform/files.ts';
import { type GitPlace, git, tryGit } from '../platform/git.ts';

/** A file that differs between two snapshots. `before`/`after` are object ids, null where it did not exist. */
export interface FileChange {
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
  readonly beforeMode: string;
  readonly afterMode: string;
}

const ZERO = /^0+$/;
/** Every conversion off: a snapshot holds the bytes of the work tree, so that what is restored is what was. */
const ATTRIBUTES = '* -text -eol -filter -ident -working-tree-encoding -diff -merge\n';

const CONFIG = `[core]
\trepositoryformatversion = 0
\tfilemode = true
\tbare = false
\tautocrlf = false
\tcompression = 0
`;
/** Files of the private repository that decide what git sees. */
const OWN_FILES: readonly (readonly [string, string])[] = [
  ['config', CONFIG],
  ['info/exclude', '/.orchestration/\n'],
  ['info/attributes', ATTRIBUTES],
];

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
    const objects = `${layout.root}/.git/objects`;
    this.#place = {
      gitDir: layout.shadow,
      workTree: layout.root,
      timeoutMs,
      ...(isDirectory(objects) ? { alternates: objects } : {}),
    };
  }

  #prepare(): void {
    const { shadow } = this.layout;
    if (!exists(`${shadow}/HEAD`)) {
      makeDirectory(shadow);
      git(this.#place, ['init', '--quiet', '--template=']);
      makeDirectory(`${shadow}/info`);
    }
    // Held against what they must say each time: a command could make git look away from here on.
    for (const [name, text] of OWN_FILES) {
      const file = `${shadow}/${name}`;
      if (readRegular(file, 4096)?.toString('utf8') === text) continue;
      removeAll(file);
      makeDirectory(file.slice(0, file.lastIndexOf('/')));
      createFile(file, text);
      removeFile(`${shadow}/index`);
    }
    for (const name of ['commondir', 'config.worktree', 'info/grafts', 'info/sparse-checkout', 'shallow'])
      removeFile(`${shadow}/${name}`);
  }

  /** Records the work tree as it is now and returns the snapshot's id. */
  take(): string {
    this.#prepare();
    const shared = `${this.layout.shadow}/index`;
    // An index that was not left by us may carry marks that make git look away (skip-worktree, a forged stat).
    if (exists(shared) && markOfAny(shared) !== this.seal) removeAll(shared);
    const index = `${this.layout.shadow}/index-${newUuid()}`;
    // With its time: git takes a file changed in the same instant as the index for unknown, and reads it again.
    if (exists(shared)) copyFileWithTime(shared, index);
    const place = { ...this.#place, index };
    try {
      tryGit(place, ['add', '--all', '--ignore-errors', '--', '.']);
      const ignored = this.#ignoredFiles(place);
      if (ignored.length > 0)
        tryGit(
          place,
          ['add', '--force', '--ignore-errors', '--pathspec-from-file=-', '--pathspec-file-nul'],
          ignored.join('\0'),
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
    const raw = git(this.#place, ['diff-tree', '-r', '-z', '--no-renames', '--no-commit-id', before, after])
      .toString('utf8')
      .split('\0');
    const found: FileChange[] = [];
    for (let at = 0; at + 1 < raw.length; at += 2) {
      const [beforeMode = '', afterMode = '', from = '', to = ''] = (raw[at] ?? '').slice(1).split(' ');
      found.push({
        path: raw[at + 1] ?? '',
        before: ZERO.test(from) ? null : from,
        after: ZERO.test(to) ? null : to,
        beforeMode,
        afterMode,
      });
    }
    return found;
  }

  /** A recorded file's bytes. */
  read(object: string): Buffer {
    return git(this.#place, ['cat-file', 'blob', object]);
  }

  /** Puts files back as a snapshot has them, and removes those that it does not have. */
  restore(snapshot: string, changes: readonly FileChange[]): void {
    const back = changes
      .filter((change) => change.before !== null && change.beforeMode !== '160000')
      .map((change) => change.path);
    for (const change of changes) if (change.before === null) removeAll(`${this.layout.root}/${change.path}`);
    if (back.length === 0) return;
    const index = `${this.layout.shadow}/index-${newUuid()}`;
    const place = { ...this.#place, index };
    try {
      git(place, ['read-tree', snapshot]);
      git(place, ['checkout-index', '--force', '-z', '--stdin'], back.join('\0'));
    } catch (error) {
      throw new PactError(
        'INVARIANT_BROKEN',
        'files changed outside the scope could not be restored',
        `Look at: ${back.slice(0, 5).join(', ')}`,
        {},
        { cause: error },
      );
    } finally {
      removeFile(index);
    }
  }
}
