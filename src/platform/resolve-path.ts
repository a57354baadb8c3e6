import fs from 'node:fs';
import path from 'node:path';
import { errnoOf } from './files.ts';
import { inMoment } from './moment.ts';

/** Where a path really leads. */
export interface RealPath {
  /** Absolute, every link followed, `..` resolved; parts that do not exist yet are kept as spelled. */
  readonly absolute: string;
  readonly exists: boolean;
  /** Number of names the file has; above one, a write also changes the others. */
  readonly links: number;
  readonly isDirectory: boolean;
  /** Why the answer cannot be trusted, or null. */
  readonly problem: string | null;
}

const MAX_LINKS = 40;

function fail(absolute: string, problem: string): RealPath {
  return { absolute, exists: false, links: 0, isDirectory: false, problem };
}

/**
 * Follows a path as the kernel would, one component at a time, links that dangle included, so that a write
 * through a link is judged by where it lands (H-61). Never throws. `..` after a link is a problem of its own:
 * hosts and kernel disagree on it, and an ambiguous path is not worth guessing.
 */
export function realPathOf(asked: string, cwd: string): RealPath {
  if (asked === '') return fail(cwd, 'it is empty');
  if (/[\u0000-\u001f\u007f]/.test(asked))
    return fail(path.resolve(cwd, asked.replaceAll('\0', '')), 'it holds a control character');
  if (asked.length > 4096) return fail(cwd, 'it is longer than 4096 characters');
  if (!asked.isWellFormed()) return fail(cwd, 'it is not well-formed Unicode');
  const start = path.isAbsolute(asked) ? asked : `${cwd}/${asked}`;
  const todo = start
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .reverse();
  let at = '';
  let links = 0;
  let crossedLink = false;
  let last: fs.Stats | null = null;
  while (todo.length > 0) {
    const part = todo.pop() as string;
    if (part === '..') {
      if (crossedLink) return fail(path.resolve(start), 'it goes up with `..` after a symbolic link');
      at = at.slice(0, Math.max(0, at.lastIndexOf('/')));
      last = null;
      continue;
    }
    const next = `${at}/${part}`;
    if ((at === '/proc' && /^(self|thread-self|\d+)$/.test(part)) || next === '/dev/fd')
      return fail(path.resolve(start), 'it means another place to every process');
    let stat: fs.Stats | undefined;
    try {
      stat = inMoment(`at ${next}`, () => fs.lstatSync(next, { throwIfNoEntry: false }));
    } catch (error) {
      const code = errnoOf(error);
      if (code === 'ENOTDIR') return fail(path.resolve(start), 'a part of it is not a folder');
      return fail(path.resolve(start), `it cannot be looked up (${code ?? 'unknown error'})`);
    }
    if (!stat) {
      const rest = [part, ...todo.toReversed()];
      if (rest.includes('..'))
        return fail(path.resolve(start), 'it goes up with `..` from a folder that does not exist');
      return {
        absolute: `${at}/${rest.join('/')}`,
        exists: false,
        links: 0,
        isDirectory: false,
        problem: null,
      };
    }
    if (stat.isSymbolicLink()) {
      links += 1;
      if (links > MAX_LINKS) return fail(path.resolve(start), 'its symbolic links form a loop');
      const target = fs.readlinkSync(next);
      if (path.isAbsolute(target)) at = '';
      const parts = target
        .split('/')
        .filter((piece) => piece !== '' && piece !== '.')
        .reverse();
      for (const piece of parts) todo.push(piece);
      crossedLink = todo.slice(0, todo.length - parts.length).includes('..');
      last = null;
      continue;
    }
    at = next;
    last = stat;
  }
  if (at === '') last = fs.statSync('/');
  last ??= fs.lstatSync(at, { throwIfNoEntry: false }) ?? null;
  return {
    absolute: at === '' ? '/' : at,
    exists: last !== null,
    links: last?.isFile() ? last.nlink : 0,
    isDirectory: last?.isDirectory() ?? false,
    problem: null,
  };
}
