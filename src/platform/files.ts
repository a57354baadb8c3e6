import fs from 'node:fs';
import path from 'node:path';
import { SIDECAR } from '../core/words.ts';

/** Node's error code of a file system failure, or null. */
export function errnoOf(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;
}

/**
 * A file's bytes; null when nothing is there (or a folder of its path is missing). Other failures throw. A pipe or
 * a device in its place throws at once: reading one could block for ever, and no deadline interrupts that.
 */
export function readIfThere(file: string | Buffer): Buffer | null {
  const fd = unlessMissing(() => openRegular(file));
  if (fd === null) return null;
  try {
    return fs.readFileSync(fd);
  } finally {
    fs.closeSync(fd);
  }
}

/** The error that reading something else than a regular file gives. */
export function notRegular(file: string | Buffer): Error {
  return Object.assign(new Error(`${path.basename(file.toString())} is not a regular file`), {
    code: 'EISDIR',
  });
}

/** Like {@link readIfThere}, but a folder, device or file over `maxBytes` gives null too. */
export function readRegular(file: string, maxBytes: number): Buffer | null {
  const stat = unlessMissing(() => fs.statSync(file));
  if (!stat?.isFile() || stat.size > maxBytes) return null;
  return readIfThere(file);
}

/** Null in place of the error when nothing is there, or a file stands where a folder of the path should be. */
export function unlessMissing<T>(look: () => T): T | null {
  try {
    return look();
  } catch (error) {
    const code = errnoOf(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw error;
  }
}

export function exists(file: string | Buffer): boolean {
  return unlessMissing(() => fs.lstatSync(file)) !== null;
}

export function isDirectory(file: string): boolean {
  return unlessMissing(() => fs.statSync(file))?.isDirectory() ?? false;
}

export function makeDirectory(folder: string): void {
  fs.mkdirSync(folder, { recursive: true });
}

/** What stands at a name, links not followed, and how many bytes it holds. */
export function lookAt(file: string | Buffer): {
  readonly kind: 'missing' | 'file' | 'link' | 'folder' | 'other';
  readonly bytes: number;
} {
  const stat = unlessMissing(() => fs.lstatSync(file));
  if (!stat) return { kind: 'missing', bytes: 0 };
  if (stat.isFile()) return { kind: 'file', bytes: stat.size };
  return { kind: stat.isSymbolicLink() ? 'link' : stat.isDirectory() ? 'folder' : 'other', bytes: 0 };
}

export function isReadable(file: string | Buffer): boolean {
  try {
    fs.accessSync(file, fs.constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

/** Takes from everybody but the owner what they may do with a file or folder; links are left alone. */
export function closeToOthers(file: string): void {
  const stat = unlessMissing(() => fs.lstatSync(file));
  if (stat && !stat.isSymbolicLink() && (stat.mode & 0o077) !== 0) fs.chmodSync(file, stat.mode & 0o700);
}

/** Makes a folder that only its owner may look into. One that was open is closed with all that is in it. */
export function makePrivateFolder(folder: string): void {
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  if ((fs.lstatSync(folder).mode & 0o077) === 0) return;
  closeToOthers(folder);
  for (const name of fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }))
    closeToOthers(`${folder}/${name}`);
}

/**
 * Names below `root`, relative to it, of what is neither a file, a link nor a folder though it is called like one of
 * these. Git's own folders and the sidecar are passed over.
 */
export function findIrregular(root: string, called: ReadonlySet<string>): Buffer[] {
  const found: Buffer[] = [];
  const todo = [Buffer.alloc(0)];
  for (let folder = todo.pop(); folder; folder = todo.pop()) {
    const at = Buffer.concat([Buffer.from(`${root}/`), folder]);
    for (const name of unlessMissing(() => fs.readdirSync(at, { encoding: 'buffer' })) ?? []) {
      const [path, plain] = [Buffer.concat([folder, name]), name.toString('latin1')];
      if (plain === '.git' || plain === SIDECAR) continue;
      const { kind } = lookAt(Buffer.concat([at, name]));
      if (kind === 'folder') todo.push(Buffer.concat([path, Buffer.from('/')]));
      else if (kind === 'other' && called.has(plain)) found.push(path);
    }
  }
  return found;
}

/** Opens a regular file for reading. Anything else throws at once: a pipe without a writer would block for ever. */
export function openRegular(file: string | Buffer): number {
  const fd = fs.openSync(file, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK);
  if (fs.fstatSync(fd).isFile()) return fd;
  fs.closeSync(fd);
  throw notRegular(file);
}

/** Reads up to `length` bytes at `offset`; shorter at the file's end. */
export function readSlice(file: string, offset: number, length: number): Buffer {
  const fd = openRegular(file);
  try {
    const buffer = Buffer.allocUnsafe(length);
    let filled = 0;
    while (filled < length) {
      const count = fs.readSync(fd, buffer, filled, length - filled, offset + filled);
      if (count === 0) break;
      filled += count;
    }
    return buffer.subarray(0, filled);
  } finally {
    fs.closeSync(fd);
  }
}

export function removeFile(file: string): void {
  fs.rmSync(file, { force: true });
}

/** Removes a folder if nothing is in it; whatever else stands there stays. */
export function removeIfEmpty(folder: string): void {
  if (isDirectory(folder) && listNames(folder).length === 0) fs.rmdirSync(folder);
}

/** Where a name really leads; null when it leads nowhere. */
export function realPlace(file: string): string | null {
  try {
    return fs.realpathSync.native(file);
  } catch {
    return null;
  }
}

export function isLink(file: string): boolean {
  return unlessMissing(() => fs.lstatSync(file))?.isSymbolicLink() ?? false;
}

/** Renames a file out of the way; nothing happens when it is not there. */
export function moveAside(from: string | Buffer, to: string): void {
  try {
    fs.renameSync(from, to);
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error;
  }
}

/** Copies a file and the time it was changed at, rounded down to seconds, which some readers compare others with. */
export function copyFileWithTime(from: string, to: string): void {
  const seconds = Math.floor(fs.statSync(from).mtimeMs / 1000);
  fs.copyFileSync(from, to);
  fs.utimesSync(to, seconds, seconds);
}

/** Removes whatever stands at a name, a folder with all that is in it; a link itself, never what it leads to. */
export function removeAll(path: string | Buffer): void {
  fs.rmSync(path, { recursive: true, force: true });
}

/**
 * The same for a tree that somebody else has made: folders that forbid looking into them are opened first. Overlays leave
 * one of those too.
 */
export function removeClosed(path: string): void {
  try {
    removeAll(path);
  } catch (error) {
    if (errnoOf(error) !== 'EACCES') throw error;
    openFolders(Buffer.from(path));
    removeAll(path);
  }
}

function openFolders(folder: Buffer): void {
  fs.chmodSync(folder, 0o700);
  for (const entry of fs.readdirSync(folder, { withFileTypes: true, encoding: 'buffer' }))
    if (entry.isDirectory()) openFolders(Buffer.concat([folder, Buffer.from('/'), entry.name]));
}

/** Real path of a folder that exists; every link in it followed. */
export function realFolder(folder: string): string {
  return fs.realpathSync.native(folder);
}

/** Names in a folder, sorted; none when it is missing. */
export function listNames(folder: string): string[] {
  return unlessMissing(() => fs.readdirSync(folder).sort()) ?? [];
}
