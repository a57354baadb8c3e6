import fs from 'node:fs';
import { unlessMissing } from './files.ts';

/** What stands at a name, links not followed. */
export interface Entry {
  /** `whiteout`: an overlay's mark that a name of the lower layer was deleted (a character device 0/0). */
  readonly kind: 'file' | 'folder' | 'link' | 'whiteout' | 'other';
  /** Permission bits, setuid, setgid and sticky among them. */
  readonly mode: number;
  readonly size: number;
  readonly links: number;
  readonly inode: bigint;
  /** Device, inode, size, time of the last write and of the last change: what tells whether it is still the same. */
  readonly identity: string;
  readonly changedNs: bigint;
}

function kindOf(stat: fs.BigIntStats): Entry['kind'] {
  if (stat.isFile()) return 'file';
  if (stat.isDirectory()) return 'folder';
  if (stat.isSymbolicLink()) return 'link';
  return stat.isCharacterDevice() && stat.rdev === 0n ? 'whiteout' : 'other';
}

/** What stands at a path whose bytes may be no text; null when nothing does. */
export function entryAt(path: Buffer): Entry | null {
  const stat = unlessMissing(() => fs.lstatSync(path, { bigint: true }));
  if (!stat) return null;
  return {
    kind: kindOf(stat),
    mode: Number(stat.mode & 0o7777n),
    size: Number(stat.size),
    links: Number(stat.nlink),
    inode: stat.ino,
    identity: [stat.dev, stat.ino, stat.size, stat.mtimeNs, stat.ctimeNs].join(':'),
    changedNs: stat.ctimeNs,
  };
}

/** Names in a folder as bytes, sorted; none when it is missing. */
export function namesAt(folder: Buffer): Buffer[] {
  const names = unlessMissing(() => fs.readdirSync(folder, { encoding: 'buffer' })) ?? [];
  return names.sort(Buffer.compare);
}

/** The same for a folder that must be there: a missing one throws, since nothing may be concluded from it. */
export function namesOf(folder: Buffer): Buffer[] {
  return fs.readdirSync(folder, { encoding: 'buffer' });
}

/** A path below a folder. */
export function below(folder: Buffer, name: Buffer): Buffer {
  return Buffer.concat([folder, Buffer.from('/'), name]);
}

/** What a link names. */
export function linkTarget(path: Buffer): Buffer {
  return fs.readlinkSync(path, { encoding: 'buffer' });
}

/** Moves a file or link to a name, in place of what is there. False when nothing stands at `from`. */
export function moveTo(from: Buffer, to: Buffer): boolean {
  return (
    unlessMissing(() => {
      fs.renameSync(from, to);
      return true;
    }) ?? false
  );
}

/** Copies a file or a link to a name at which nothing stands, with its owner, permission bits and times. */
export function copyTo(from: Buffer, to: Buffer): void {
  const stat = fs.lstatSync(from);
  if (stat.isSymbolicLink()) {
    fs.symlinkSync(linkTarget(from), to);
    return;
  }
  fs.copyFileSync(from, to, fs.constants.COPYFILE_EXCL | fs.constants.COPYFILE_FICLONE);
  // Only root may give a file to somebody else, and only root can have found one.
  if (process.getuid?.() === 0) fs.chownSync(to, stat.uid, stat.gid);
  fs.chmodSync(to, stat.mode & 0o7777);
  fs.utimesSync(to, stat.atime, stat.mtime);
}

export function makeFolder(path: Buffer, mode: number): void {
  fs.mkdirSync(path);
  fs.chmodSync(path, mode);
}

export function setMode(path: Buffer, mode: number): void {
  fs.chmodSync(path, mode);
}

/** Removes a file or link; nothing happens when it is not there. */
export function unlink(path: Buffer): void {
  unlessMissing(() => fs.unlinkSync(path));
}

/** Removes a folder if it is empty. False when something is in it. */
export function removeEmpty(path: Buffer): boolean {
  try {
    unlessMissing(() => fs.rmdirSync(path));
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOTEMPTY') return false;
    throw error;
  }
}
