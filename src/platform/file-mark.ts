import fs from 'node:fs';
import { notRegular, unlessMissing } from './files.ts';

/** What tells whether a file is still the one we left: any write, rename or chmod changes it. */
export interface FileMark {
  readonly size: number;
  readonly inode: string;
  readonly changedNs: string;
}

export function toMark(stat: fs.BigIntStats): FileMark {
  return { size: Number(stat.size), inode: String(stat.ino), changedNs: String(stat.ctimeNs) };
}

/** The mark of a regular file; null when there is none. Throws when something else stands there. */
export function markOf(file: string): FileMark | null {
  const stat = fs.statSync(file, { bigint: true, throwIfNoEntry: false });
  if (!stat) return null;
  if (!stat.isFile()) throw notRegular(file);
  return toMark(stat);
}

/** The same as one word, for whatever stands at a name, links not followed. */
export function markOfAny(file: string | Buffer): string {
  const stat = unlessMissing(() => fs.lstatSync(file, { bigint: true }));
  return stat ? `${stat.mode}:${stat.size}:${stat.ino}:${stat.ctimeNs}` : '';
}

/**
 * What tells that a file's content was written, and nothing else: SQLite gives the files beside a database anew to the
 * database's owner whenever root opens it, even to read.
 */
export function writtenMarkOf(file: string): string {
  const stat = fs.lstatSync(file, { bigint: true, throwIfNoEntry: false });
  return stat ? `${stat.size}:${stat.ino}:${stat.mtimeNs}` : '';
}

export function sameMark(a: FileMark, b: FileMark): boolean {
  return a.size === b.size && a.inode === b.inode && a.changedNs === b.changedNs;
}
