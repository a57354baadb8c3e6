import { tryGit } from '../platform/git.ts';
import { gitFolders } from '../platform/git-head.ts';

const TIMEOUT_MS = 10_000;

/** Names for which git's `check-ignore` says that they are ignored, as latin1 text of their bytes. */
function ignoredOf(root: string, names: readonly Buffer[], options: readonly string[]): ReadonlySet<string> {
  const gitDir = gitFolders(root)?.own;
  if (names.length === 0 || gitDir === undefined) return new Set();
  const input = Buffer.concat(names.flatMap((name) => [name, Buffer.from('\0')]));
  const place = { gitDir, workTree: root, timeoutMs: TIMEOUT_MS, patterns: true } as const;
  try {
    const { code, stdout } = tryGit(place, ['check-ignore', ...options, '-z', '--stdin'], input);
    return new Set(code === 0 ? stdout.toString('latin1').split('\0') : []);
  } catch {
    // It ended before it had read all names, or is not there: then nothing counts as ignored.
    return new Set();
  }
}

function foldersOf(name: Buffer): string[] {
  const folders: string[] = [];
  for (let at = name.lastIndexOf('/'); at > 0; at = name.lastIndexOf('/', at - 1))
    folders.push(`${name.toString('latin1', 0, at)}/`);
  return folders;
}

/**
 * Those of some names, relative to the work tree, that lie in a folder which git ignores there: dependencies, build output,
 * caches. As latin1 text. A single ignored file is none of them, since it may hold what a person keeps out of git (`.env`),
 * nor is a file that is tracked all the same. None where git cannot tell.
 */
export function inIgnoredFolders(root: string, names: readonly Buffer[]): ReadonlySet<string> {
  // With a slash at its end git takes a name that is not there yet for a folder.
  const folders = [...new Set(names.flatMap(foldersOf))].map((folder) => Buffer.from(folder, 'latin1'));
  const ignored = ignoredOf(root, folders, ['--no-index']);
  if (ignored.size === 0) return ignored;
  return ignoredOf(
    root,
    names.filter((name) => foldersOf(name).some((folder) => ignored.has(folder))),
    [],
  );
}
