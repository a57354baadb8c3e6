import { sha256 } from '../core/digest.ts';
import { markOfAny } from '../platform/file-mark.ts';
import { isDirectory, isReadable, lookAt } from '../platform/files.ts';
import { type GitPlace, git, gitLater, tryGit } from '../platform/git.ts';
import { headRevision } from '../platform/git-head.ts';
import { OBEYED_FOLDERS } from './protected.ts';

/** Mode of an entry whose content is not in the snapshot: a nested repository, or what git could not take in. */
export const UNSEEN_MODE = '160000';
/** Largest file, in bytes, whose content a snapshot holds. A larger one is known by its mark alone. */
export const MAX_CONTENT = 64 << 20;
/** How often git may fail before the files that are left are entered by their marks. */
const MAX_FAILURES = 40;
const NUL = Buffer.from('\0');
const SLASH = 0x2f;
const OWN = '.orchestration/';

/** Splits what git printed with `-z`. File names are bytes, and not every one is UTF-8. */
export function namesIn(output: Buffer): Buffer[] {
  const names: Buffer[] = [];
  for (let at = 0; at < output.length; ) {
    const end = output.indexOf(0, at);
    names.push(output.subarray(at, end < 0 ? output.length : end));
    at = end < 0 ? output.length : end + 1;
  }
  return names;
}

/** Names as git reads them with `-z --stdin`. */
export function terminated(names: readonly Buffer[]): Buffer {
  return Buffer.concat(names.flatMap((name) => [name, NUL]));
}

function listFiles(place: GitPlace, ...args: string[]): Buffer[] {
  return namesIn(git(place, ['ls-files', '-z', ...args]));
}

const CHANGED = ['--modified', '--others', '--exclude-standard'];
const IGNORED = ['--others', '--ignored', '--exclude-standard', '--directory'];

/** SHA-256 of everything that an index lists: mode, object and name of every file. */
export function listingDigest(place: GitPlace): string {
  return sha256(git(place, ['ls-files', '--stage', '-z']));
}

function folderOf(name: Buffer): string {
  const text = name.toString('latin1');
  return text.slice(0, Math.max(0, text.lastIndexOf('/')));
}

/**
 * Of the names that are ignored and not in the index the single files, but for those in a folder that is ignored as a
 * whole.
 */
function ignoredFiles(place: GitPlace, ignored: readonly Buffer[]): Buffer[] {
  const listed = ignored.filter((name) => name.at(-1) !== SLASH);
  // Git goes into an ignored folder that holds a tracked file, and lists what else is there.
  const folders = [...new Set(listed.map(folderOf))].filter((folder) => folder !== '');
  if (folders.length === 0) return listed;
  const asked = terminated(folders.map((folder) => Buffer.from(`./${folder}`, 'latin1')));
  const { stdout } = tryGit(
    { ...place, patterns: true },
    ['check-ignore', '--no-index', '-z', '--stdin'],
    asked,
  );
  const whole = new Set(namesIn(stdout).map((name) => name.toString('latin1')));
  return listed.filter((name) => !whole.has(`./${folderOf(name)}`));
}

function obeyedIn(place: GitPlace): string[] {
  return OBEYED_FOLDERS.filter((folder) => isDirectory(`${place.workTree}/${folder}`));
}

function isOwn(name: Buffer): boolean {
  return name.subarray(0, OWN.length).equals(Buffer.from(OWN));
}

/** What an index does not list as it stands on disk. */
export interface Listing {
  /**
   * Names whose entries may be out of date: files that changed, went or are new, single files that are ignored (a
   * `.env`), and all files in folders that a host obeys. Other ignored folders are build output.
   */
  readonly names: Buffer[];
  /** Folders that are ignored as a whole, without the slash. */
  readonly folders: string[];
}

/** Walks the work tree and compares it with the index. */
export function listChanged(place: GitPlace): Listing {
  const obeyed = obeyedIn(place);
  const ignored = listFiles(place, ...IGNORED);
  const names = [
    ...listFiles(place, ...CHANGED),
    ...ignoredFiles(place, ignored),
    ...(obeyed.length > 0 ? listFiles(place, '--others', '--', ...obeyed) : []),
  ].filter((name) => !isOwn(name));
  const folders = ignored.filter((name) => name.at(-1) === SLASH);
  return { names, folders: folders.map((name) => name.subarray(0, -1).toString()) };
}

/** The same names without waiting for the walk, some more among them: all single files that are ignored. Null on failure. */
export async function listChangedLater(place: GitPlace): Promise<Buffer[] | null> {
  const asked = [CHANGED, IGNORED, ...obeyedIn(place).map((folder) => ['--others', '--', folder])];
  const lists = await Promise.all(asked.map((args) => gitLater(place, ['ls-files', '-z', ...args])));
  if (lists.some((list) => list === null)) return null;
  return lists
    .flatMap((list) => namesIn(list as Buffer))
    .filter((name) => name.at(-1) !== SLASH && !isOwn(name));
}

/** Files that the user's own index (the file `index`) tracks though they are ignored. None if git cannot read it. */
export function trackedIgnored(place: GitPlace, index: string): Buffer[] {
  const args = ['ls-files', '-z', '--cached', '--ignored', '--exclude-standard'];
  const { code, stdout } = tryGit({ ...place, index }, args);
  return code === 0 ? namesIn(stdout).filter((name) => !name.toString('latin1').startsWith(OWN)) : [];
}

/** How a listed name goes into the index: with its content, by a mark, or not at all because nothing is there. */
function intakeOf(file: Buffer, isNested: boolean): 'content' | 'gone' | { readonly mark: string } {
  const { kind, bytes } = lookAt(file);
  if (kind === 'missing') return 'gone';
  if (kind === 'file' && (bytes > MAX_CONTENT || !isReadable(file))) return { mark: markOfAny(file) };
  if (kind === 'other') return { mark: markOfAny(file) };
  if (kind !== 'folder' || headRevision(file.toString()) !== null) return 'content';
  // The folder's own mark would change with every file in it, and those of a nested repository are not watched.
  return isNested ? { mark: 'folder' } : 'gone';
}

/** Whether a name leads through a link: what is found behind it is not the file of that name. */
function isBehindLink(root: string, name: Buffer): boolean {
  const folder = folderOf(name);
  if (folder === '') return false;
  const at = Buffer.from(folder, 'latin1');
  return lookAt(Buffer.concat([Buffer.from(`${root}/`), at])).kind === 'link' || isBehindLink(root, at);
}

/** Enters files with their content, and gives those that git refuses. */
function enterContent(
  place: GitPlace,
  names: readonly Buffer[],
  left = { failures: MAX_FAILURES },
): Buffer[] {
  if (names.length === 0) return [];
  if (left.failures === 0) return [...names];
  const args = ['update-index', '--add', '--remove', '--replace', '-z', '--stdin'];
  if (tryGit(place, args, terminated(names)).code === 0) return [];
  left.failures -= 1;
  if (names.length === 1) return [...names];
  const half = names.length >> 1;
  return [
    ...enterContent(place, names.slice(0, half), left),
    ...enterContent(place, names.slice(half), left),
  ];
}

/**
 * Brings the index up to date for these names. What git cannot take in (a pipe in a file's place, a repository
 * without a commit, a file that is too large, cannot be read or cannot be stored) is entered by its mark, so that it
 * shows as a change instead of being looked past.
 */
export function enterFiles(place: GitPlace, listed: readonly Buffer[]): void {
  const fileOf = (name: Buffer) => Buffer.concat([Buffer.from(`${place.workTree}/`), name]);
  const [content, gone]: [Buffer[], Buffer[]] = [[], []];
  const unseen: (readonly [Buffer, string])[] = [];
  for (const one of listed) {
    const isNested = one.at(-1) === SLASH;
    const name = isNested ? one.subarray(0, -1) : one;
    const intake = intakeOf(fileOf(name), isNested);
    if (intake === 'content') content.push(name);
    else if (intake === 'gone') gone.push(name);
    else unseen.push([name, intake.mark]);
  }
  if (gone.length > 0) git(place, ['update-index', '--force-remove', '-z', '--stdin'], terminated(gone));
  for (const name of enterContent(place, content))
    if (!isBehindLink(place.workTree, name))
      unseen.push([name, lookAt(fileOf(name)).kind === 'folder' ? 'folder' : markOfAny(fileOf(name))]);
  if (unseen.length === 0) return;
  const lines = unseen.map(([name, mark]) =>
    Buffer.concat([Buffer.from(`${UNSEEN_MODE} ${sha256(mark).slice(0, 40)}\t`), name]),
  );
  git(place, ['update-index', '--replace', '-z', '--index-info'], terminated(lines));
}
