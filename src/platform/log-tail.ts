import fs from 'node:fs';
import { markOf } from './file-mark.ts';

/** What a log has gained since it was last read. */
export interface Gained {
  /** Whole lines, oldest first, without their newline. */
  readonly lines: readonly string[];
  /** The file is not the one read before, or was cut or rewritten: the lines are its end, read anew. */
  readonly restarted: boolean;
  /** There is more than one read takes: read again. */
  readonly more: boolean;
}

const ANCHOR = 64;
const NEWLINE = 10;
const NOTHING: Gained = { lines: [], restarted: false, more: false };

/**
 * Follows a log that others append to. The first read begins at most `startBytes` before its end, so that the cost
 * does not grow with its length. Reading stops at the last newline: an append under way, or one that never finished,
 * is looked at again when the file has changed. A missing file has no lines. A line longer than `maxBytes` is dropped.
 */
export class LogTail {
  #inode: string | null = null;
  #offset = 0;
  /** The bytes before the offset: others there mean that the file was rewritten in its place. */
  #anchor: Buffer = Buffer.alloc(0);
  #begun = false;

  constructor(
    private readonly file: string,
    private readonly startBytes: number,
    private readonly maxBytes: number,
  ) {}

  /** Reads at most `maxBytes` of what came. Throws when something else than a regular file stands there. */
  read(): Gained {
    const mark = markOf(this.file);
    if (mark === null) {
      this.#inode = null;
      return NOTHING;
    }
    const fd = fs.openSync(this.file, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK);
    try {
      const { size } = fs.fstatSync(fd);
      const isSame = this.#inode === mark.inode && size >= this.#offset && this.#isAnchored(fd);
      const restarted = this.#begun && !isSame;
      this.#begun = true;
      this.#inode = mark.inode;
      if (!isSame) this.#startNear(fd, size);
      return { ...this.#readOn(fd, size), restarted };
    } finally {
      fs.closeSync(fd);
    }
  }

  #isAnchored(fd: number): boolean {
    const { length } = this.#anchor;
    return this.#anchor.equals(slice(fd, this.#offset - length, length));
  }

  /** Begins behind the first newline of the file's end, or at its start when all of it is near enough. */
  #startNear(fd: number, size: number): void {
    const from = Math.max(0, size - this.startBytes);
    const at = from === 0 ? -1 : slice(fd, from, size - from).indexOf(NEWLINE);
    this.#moveTo(fd, from === 0 ? 0 : at < 0 ? size : from + at + 1);
  }

  #moveTo(fd: number, offset: number): void {
    this.#offset = offset;
    const from = Math.max(0, offset - ANCHOR);
    this.#anchor = slice(fd, from, offset - from);
  }

  #readOn(fd: number, size: number): Omit<Gained, 'restarted'> {
    if (size === this.#offset) return NOTHING;
    const bytes = slice(fd, this.#offset, Math.min(size - this.#offset, this.maxBytes));
    const end = bytes.lastIndexOf(NEWLINE) + 1;
    // No end of a line in all that one read may take: it is no line of ours, and its rest counts as one damaged line.
    const taken = end === 0 && bytes.length === this.maxBytes ? bytes.length : end;
    const lines = end === 0 ? [] : bytes.toString('utf8', 0, end - 1).split('\n');
    if (taken > 0) this.#moveTo(fd, this.#offset + taken);
    return { lines, more: taken > 0 && this.#offset < size };
  }
}

function slice(fd: number, from: number, length: number): Buffer {
  const buffer = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const count = fs.readSync(fd, buffer, filled, length - filled, from + filled);
    if (count === 0) break;
    filled += count;
  }
  return buffer.subarray(0, filled);
}
