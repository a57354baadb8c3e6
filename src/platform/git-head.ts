import { isDirectory, readIfThere } from './files.ts';

const OBJECT = /^[0-9a-f]{40}([0-9a-f]{24})?$/;

function text(file: string): string {
  return readIfThere(file)?.toString('utf8').trim() ?? '';
}

/**
 * The commit that HEAD names, read from git's own files: no process is started. Null outside a repository, before
 * the first commit, or when the ref is stored in a way we do not read.
 */
export function headRevision(root: string): string | null {
  let gitDir = `${root}/.git`;
  if (!isDirectory(gitDir)) {
    const link = /^gitdir: (.+)$/.exec(text(gitDir))?.[1];
    if (link === undefined) return null;
    gitDir = link.startsWith('/') ? link : `${root}/${link}`;
  }
  const head = text(`${gitDir}/HEAD`);
  if (OBJECT.test(head)) return head;
  const ref = /^ref: (refs\/\S+)$/.exec(head)?.[1];
  if (ref === undefined || ref.includes('..')) return null;
  const shared = text(`${gitDir}/commondir`);
  const common = shared === '' ? gitDir : shared.startsWith('/') ? shared : `${gitDir}/${shared}`;
  const loose = text(`${common}/${ref}`);
  if (OBJECT.test(loose)) return loose;
  const packed = text(`${common}/packed-refs`)
    .split('\n')
    .find((line) => line.endsWith(` ${ref}`));
  const revision = packed?.split(' ')[0] ?? '';
  return OBJECT.test(revision) ? revision : null;
}
