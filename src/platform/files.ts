import fs from 'node:fs';
import path from 'node:path';

/** Node's error code of a file system failure, or null. */
export function errnoOf(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;
}

/**
 * A file's bytes; null when nothing is there (or a folder of its path is missing). Other failures throw. A pipe or
 * a device in its place throws at once: reading one could block for ever, and no deadline interrupts that.
 */
export function readIfThere(file: string): Buffer | null {
  let fd: number | null = null;
  try {
    fd = fs.openSync(file, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK);
    if (!fs.fstatSync(fd).isFile()) throw notRegular(file);
    return fs.readFileSync(fd);
  } catch (error) {
    const code = errnoOf(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw error;
  } finally {
    if (fd !== null) fs.closeSync(fd);
  }
}

/** The error that reading something else than a regular file gives. */
export function notRegular(file: string): Error {
  return Object.assign(new Error(`${path.basename(file)} is not a regular file`), { code: 'EISDIR' });
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

/** Reads up to `length` bytes at `offset`; shorter at the file's end. */
export function readSlice(file: string, offset: number, length: number): Buffer {
  const fd = fs.openSync(file, 'r');
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

/** Real path of a folder that exists; every link in it followed. */
export function realFolder(folder: string): string {
  return fs.realpathSync.native(folder);
}

/** Names in a folder, sorted; none when it is missing. */
export function listNames(folder: string): string[] {
  return unlessMissing(() => fs.readdirSync(folder).sort()) ?? [];
}
