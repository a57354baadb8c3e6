import { errnoOf } from './files.ts';
import { below, copyTo, entryAt, moveTo, unlink } from './tree.ts';

/**
 * Brings a file or link to a name in place of what is there, in one step: readers see the old or the new. From another
 * file system, or where `anew` asks for it, it is copied, and goes away only when the copy stands. `passing`: name of the
 * copy while it is made, the same when it is tried again.
 */
export function putInPlace(from: Buffer, to: Buffer, passing: string, anew = false): void {
  try {
    if (!anew) {
      moveTo(from, to);
      return;
    }
  } catch (error) {
    if (errnoOf(error) !== 'EXDEV') throw error;
  }
  if (entryAt(from) === null) return;
  const beside = below(to.subarray(0, to.lastIndexOf('/')), Buffer.from(passing));
  unlink(beside);
  copyTo(from, beside);
  moveTo(beside, to);
  unlink(from);
}
