import { wallMs } from './clock.ts';
import { type FileMark, markOf, sameMark } from './file-mark.ts';
import { readIfThere, readSlice } from './files.ts';
import { inMoment } from './moment.ts';

/**
 * A file changed less than this long ago is read again whatever its mark says: on a file system with coarse times a
 * second change would leave no other mark. Two seconds is the coarsest in use (FAT).
 */
const SETTLED_MS = 2_500;
const MAX_KEPT = 256;

interface Kept {
  readonly mark: FileMark;
  readonly bytes: Buffer;
}

const kept = new Map<string, Kept>();

/**
 * A small file's bytes as {@link readIfThere} gives them, read again only after the file changed. The very same buffer
 * comes back while it did not, so that what was made of it can be kept by it. Of a file longer than `maxBytes`, which
 * must be the same for a file at each call, only so many are read.
 */
export function readSteady(file: string, maxBytes = Number.POSITIVE_INFINITY): Buffer | null {
  return inMoment(`bytes ${file}`, () => readIfChanged(file, maxBytes));
}

function readIfChanged(file: string, maxBytes: number): Buffer | null {
  const mark = markOf(file);
  if (mark === null) {
    kept.delete(file);
    return null;
  }
  const known = kept.get(file);
  if (known && sameMark(known.mark, mark)) return known.bytes;
  const bytes = mark.size > maxBytes ? readSlice(file, 0, maxBytes) : readIfThere(file);
  if (bytes !== null && Math.abs(wallMs() - Number(BigInt(mark.changedNs) / 1_000_000n)) > SETTLED_MS) {
    if (kept.size >= MAX_KEPT) kept.clear();
    // What was read may be newer than the mark: then the next mark differs, and it is read again.
    kept.set(file, { mark, bytes });
  }
  return bytes;
}
