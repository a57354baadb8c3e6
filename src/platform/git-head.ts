import path from 'node:path';
import { isDirectory, readRegular } from './files.ts';

const OBJECT = /^[0-9a-f]{40}([0-9a-f]{24})?$/;

/** Far more than a file that names a folder, a ref or a commit holds. */
const MAX_NAME = 16_384;
const MAX_PACKED = 64 << 20;

function text(file: string, maxBytes = MAX_NAME): string {
  return readRegular(file, maxBytes)?.toString('utf8').trim() ?? '';
}

/** Where git keeps what belongs to one work tree, and what all work trees of a repository have in common. */
export interface GitFolders {
  readonly own: string;
  readonly common: string;
}

/**
 * The git folders of the work tree at `root`, read without starting a process (gitrepository-layout(5)): in a linked
 * work tree and in a submodule `.git` is a file that names them. Null outside a repository.
 */
export function gitFolders(root: string): GitFolders | null {
  let own = `${root}/.git`;
  if (!isDirectory(own)) {
    const link = /^gitdir: (.+)$/.exec(text(own))?.[1];
    if (link === undefined) return null;
    own = path.resolve(root, link);
    if (!isDirectory(own)) return null;
  }
  const common = text(`${own}/commondir`);
  return { own, common: common === '' ? own : path.resolve(own, common) };
}

/**
 * The commit that HEAD names, read from git's own files: no process is started. Null outside a repository, before
 * the first commit, or when the ref is stored in a way we do not read.
 */
export function headRevision(root: string): string | null {
  const folders = gitFolders(root);
  if (!folders) return null;
  const head = text(`${folders.own}/HEAD`);
  if (OBJECT.test(head)) return head;
  const ref = /^ref: (refs\/\S+)$/.exec(head)?.[1];
  if (ref === undefined || ref.includes('..')) return null;
  const loose = text(`${folders.common}/${ref}`);
  if (OBJECT.test(loose)) return loose;
  const packed = text(`${folders.common}/packed-refs`, MAX_PACKED)
    .split('\n')
    .find((line) => line.endsWith(` ${ref}`));
  const revision = packed?.split(' ')[0] ?? '';
  return OBJECT.test(revision) ? revision : null;
}
