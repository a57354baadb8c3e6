import fs from 'node:fs';
import { underLock } from '../../src/platform/lock.ts';

/**
 * A process that waits for a lock, says `took NANOSECONDS`, and holds it until a byte comes on standard input or for so
 * many milliseconds. Arguments: the lock's file, the longest wait, how long to hold (`stdin` for the byte).
 */
const [file = '', waitMs = '0', hold = '0'] = process.argv.slice(2);

try {
  underLock(file, Number(waitMs), () => {
    fs.writeSync(1, `took ${process.hrtime.bigint()}\n`);
    if (hold === 'stdin') fs.readSync(0, Buffer.alloc(1));
    else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, Number(hold));
  });
} catch (error) {
  fs.writeSync(1, `! ${(error as Error).message}\n`);
}
