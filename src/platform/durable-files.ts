import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { type FileMark, toMark } from './file-mark.ts';
import { errnoOf, exists } from './files.ts';
import { moveOn } from './moment.ts';

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
 * the disk. The mode of the old file is kept; a new one gets `mode`, or what the umask leaves.
 */
export function replaceFile(
  file: string,
  content: string | Uint8Array,
  options: { readonly durable: boolean; readonly mode?: number },
): void {
  const mode = options.mode ?? fs.statSync(file, { throwIfNoEntry: false })?.mode;
  const temporary = temporaryBeside(file);
  const fd = fs.openSync(temporary, 'wx', (mode ?? 0o644) & 0o777);
  try {
    // What `open` is asked for is cut by the umask.
    if (mode !== undefined) fs.fchmodSync(fd, mode & 0o777);
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
  moveOn();
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
  moveOn();
  syncFolder(path.dirname(file));
  return true;
}

/**
 * Appends bytes and returns only when they are on disk (Tessera's rule: durable before visible). `at` is where the
 * file must end now. After a failure the file is cut back to `at`, and the error is thrown.
 */
export function appendDurably(file: string, bytes: Uint8Array, at: number): FileMark {
  // Never created here: a log that is gone is missing state, not an empty log.
  const fd = fs.openSync(file, fs.constants.O_WRONLY | fs.constants.O_APPEND | fs.constants.O_NONBLOCK);
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
