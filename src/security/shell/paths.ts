import { escapeGlob, headOf, patternOf, type Text } from './text.ts';

/** Paths as strings only: nothing here may look at a file system. */

/**
 * Joins a path to a folder. `.` and doubled slashes go, `..` stays: behind a symbolic link the kernel's `..` is
 * not the lexical one, and only the caller can look.
 */
export function joinPath(folder: string, path: string): string {
  const whole = path.startsWith('/') ? path : `${folder}/${path}`;
  const names = whole.split('/').filter((name) => name !== '' && name !== '.');
  return `/${names.join('/')}`;
}

/** Where `cd path` leads: the shell follows `..` lexically by default. */
export function changeFolder(folder: string, path: string): string {
  const names: string[] = [];
  for (const name of joinPath(folder, path).split('/')) {
    if (name === '..') names.pop();
    else if (name !== '') names.push(name);
  }
  return `/${names.join('/')}`;
}

/** A path with holes as a pattern, joined to the folder where the path is surely relative to it. */
export function joinPattern(folder: string | null, path: Text): string {
  const pattern = patternOf(path);
  const [first] = path;
  const mayBeAbsolute = typeof first === 'object' && !first.glob;
  if (mayBeAbsolute || headOf(path).startsWith('/')) return tidy(pattern);
  if (folder === null) return `**/${tidy(pattern)}`;
  return tidy(`${escapeGlob(folder)}/${pattern}`);
}

function tidy(pattern: string): string {
  return pattern
    .replace(/\/(\.?\/)+/g, '/')
    .replace(/^\.\//, '')
    .replace(/(.)\/$/, '$1');
}

/** True when `folder` is `path` or one of the folders above it. */
export function isAboveOrSame(folder: string, path: string): boolean {
  return folder === path || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}

/** Files that are streams or sinks: writing to them changes nothing on disk. */
export function isSink(path: string): boolean {
  return /^\/dev\/(null|stdout|stderr|stdin|tty|zero|full|fd\/\d+)$|^\/proc\/self\/fd\/\d+$/.test(path);
}
