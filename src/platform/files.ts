import { randomBytes } from 'node:crypto';
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

function notRegular(file: string): Error {
  return Object.assign(new Error(`${path.basename(file)} is not a regular file`), { code: 'EISDIR' });
}

/** Like {@link readIfThere}, but a folder, device or file over `maxBytes` gives null too. */
export function readRegular(file: string, maxBytes: number): Buffer | null {
  const stat = fs.statSync(file, { throwIfNoEntry: false });
  if (!stat?.isFile() || stat.size > maxBytes) return null;
  return readIfThere(file);
}

export function exists(file: string | Buffer): boolean {
  return fs.lstatSync(file, { throwIfNoEntry: false }) !== undefined;
}

export function isDirectory(file: string): boolean {
  return fs.statSync(file, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

export function makeDirectory(folder: string): void {
  fs.mkdirSync(folder, { recursive: true });
}

/** Makes a rename or a new file durable by syncing the folder that names it. */
function syncFolder(folder: string): void {
  const fd = fs.openSync(folder, 'r');
  try {
    fs.fsyncSync(fd);
  } catch (error) {
    // Some file systems cannot sync a folder; the file itself is already on disk.
    if (errnoOf(error) !== 'EINVAL') throw error;
  } finally {
    fs.closeSync(fd);
  }
}

function temporaryBeside(file: string): string {
  const unique = `${process.pid}.${randomBytes(4).toString('hex')}`;
  return path.join(path.dirname(file), `.${path.basename(file)}.${unique}.tmp`);
}

/**
 * Replaces a file in one step: readers see the old bytes or the new ones, never a part. `durable` also waits for
 * the disk. The mode of the old file is kept.
 */
export function replaceFile(
  file: string,
  content: string | Uint8Array,
  options: { readonly durable: boolean; readonly mode?: number },
): void {
  const mode = options.mode ?? fs.statSync(file, { throwIfNoEntry: false })?.mode ?? 0o644;
  const temporary = temporaryBeside(file);
  const fd = fs.openSync(temporary, 'wx', mode & 0o777);
  try {
    fs.writeFileSync(fd, content);
    if (options.durable) fs.fsyncSync(fd);
  } catch (error) {
    fs.closeSync(fd);
    fs.rmSync(temporary, { force: true });
    throw error;
  }
  fs.closeSync(fd);
  try {
    fs.renameSync(temporary, file);
  } catch (error) {
    fs.rmSync(temporary, { force: true });
    throw error;
  }
  if (options.durable) syncFolder(path.dirname(file));
}

/** Puts a whole file at its name if nothing stands there; copies where the file system has no hard links. */
function placeNew(from: string, to: string): void {
  try {
    fs.linkSync(from, to);
  } catch (error) {
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].includes(errnoOf(error) ?? '')) throw error;
    fs.copyFileSync(from, to, fs.constants.COPYFILE_EXCL);
  }
}

/**
 * Creates a file that must not exist yet; false when it does. Readers see the whole content or no file: two first
 * processes of a clone must not read each other's empty file.
 */
export function createFile(file: string, content: string | Uint8Array, mode = 0o644): boolean {
  if (exists(file)) return false;
  const temporary = temporaryBeside(file);
  try {
    fs.writeFileSync(temporary, content, { flag: 'wx', mode, flush: true });
    placeNew(temporary, file);
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return false;
    throw error;
  } finally {
    fs.rmSync(temporary, { force: true });
  }
  syncFolder(path.dirname(file));
  return true;
}

/** What tells whether a file is still the one we left: any write, rename or chmod changes it. */
export interface FileMark {
  readonly size: number;
  readonly inode: string;
  readonly changedNs: string;
}

function toMark(stat: fs.BigIntStats): FileMark {
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
  const stat = fs.lstatSync(file, { bigint: true, throwIfNoEntry: false });
  return stat ? `${stat.mode}:${stat.size}:${stat.ino}:${stat.ctimeNs}` : '';
}

export function sameMark(a: FileMark, b: FileMark): boolean {
  return a.size === b.size && a.inode === b.inode && a.changedNs === b.changedNs;
}

/**
 * Appends bytes and returns only when they are on disk (Tessera's rule: durable before visible). `at` is where the
 * file must end now. After a failure the file is cut back to `at`, and the error is thrown.
 */
export function appendDurably(file: string, bytes: Uint8Array, at: number): FileMark {
  // Never created here: a log that is gone is missing state, not an empty log.
  const fd = fs.openSync(file, fs.constants.O_WRONLY | fs.constants.O_APPEND);
  try {
    if (fs.fstatSync(fd).size !== at) throw new Error(`${path.basename(file)} grew while it was locked`);
    let written = 0;
    try {
      while (written < bytes.length) written += fs.writeSync(fd, bytes, written);
      fs.fdatasyncSync(fd);
    } catch (error) {
      fs.ftruncateSync(fd, at);
      throw error;
    }
    return toMark(fs.fstatSync(fd, { bigint: true }));
  } finally {
    fs.closeSync(fd);
  }
}

/** Cuts a file to `size` bytes, durably. */
export function truncateFile(file: string, size: number): void {
  const fd = fs.openSync(file, 'r+');
  try {
    fs.ftruncateSync(fd, size);
    fs.fsyncSync(fd);
  } finally {
    fs.closeSync(fd);
  }
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

/** Where a name really leads; null when it leads nowhere. */
export function realPlace(file: string): string | null {
  try {
    return fs.realpathSync.native(file);
  } catch {
    return null;
  }
}

export function isLink(file: string): boolean {
  return fs.lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
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
  try {
    return fs.readdirSync(folder).sort();
  } catch (error) {
    const code = errnoOf(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return [];
    throw error;
  }
}
