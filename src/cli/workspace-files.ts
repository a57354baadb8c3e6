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

function fromGit(root: string): string[] | null {
  try {
    const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], {
      cwd: root,
      maxBuffer: 1 << 28,
      timeout: 30_000,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return listed
      .toString('utf8')
      .split('\0')
      .filter((file) => file !== '' && !file.startsWith('.orchestration/'));
  } catch {
    return null;
  }
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
  return fromGit(root) ?? fromWalk(root);
}
