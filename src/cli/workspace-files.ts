import { execFileSync } from 'node:child_process';
import { listFolder } from '../platform/list-folder.ts';

const MAX_FILES = 20_000;
const SKIPPED = new Set([
  '.git',
  'node_modules',
  '.orchestration',
  'dist',
  'build',
  'target',
  'vendor',
  '.venv',
]);

/** Files that git lists in a folder; null if there is no repository. */
function fromGit(root: string, ...args: string[]): string[] | null {
  try {
    const listed = execFileSync('git', ['--literal-pathspecs', 'ls-files', '-z', ...args], {
      cwd: root,
      maxBuffer: 1 << 28,
      timeout: 30_000,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return listed.toString('utf8').split('\0').slice(0, -1);
  } catch {
    return null;
  }
}

/** Those of some files that git tracks, from the workspace's root; none outside a repository. */
export function trackedFiles(root: string, files: readonly string[]): string[] {
  return files.length === 0 ? [] : (fromGit(root, '--', ...files) ?? []);
}

function fromWalk(root: string): string[] {
  const files: string[] = [];
  const todo = [''];
  for (let folder = todo.shift(); folder !== undefined && files.length < MAX_FILES; folder = todo.shift()) {
    try {
      for (const { name, kind } of listFolder(`${root}/${folder}`)) {
        if (kind === 'file') files.push(folder + name);
        else if (kind === 'folder' && !SKIPPED.has(name)) todo.push(`${folder}${name}/`);
        if (files.length >= MAX_FILES) break;
      }
    } catch {
      // A folder that cannot be read has nothing to propose.
    }
  }
  return files;
}

/** Files that a first intent can be proposed from: git's list, else a bounded walk, near folders first. */
export function workspaceFiles(root: string): string[] {
  const listed = fromGit(root, '-co', '--exclude-standard');
  return listed?.filter((file) => !file.startsWith('.orchestration/')) ?? fromWalk(root);
}
