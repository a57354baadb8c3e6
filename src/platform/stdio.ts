import fs from 'node:fs';
import { errnoOf } from './files.ts';

/** Standard input was longer than the reader takes. */
export class InputTooLarge extends Error {}

/** Reads all of standard input, at most `maxBytes`. Asynchronous, so that a deadline can fire meanwhile. */
export async function readStdin(maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let total = 0;
  for (;;) {
    const chunk = Buffer.allocUnsafe(1 << 16);
    const count = await new Promise<number>((resolve, reject) => {
      fs.read(0, chunk, 0, chunk.length, null, (error, read) => {
        if (!error) resolve(read);
        else if (errnoOf(error) === 'EOF') resolve(0);
        else if (errnoOf(error) === 'EAGAIN') setTimeout(() => resolve(-1), 2);
        else reject(error);
      });
    });
    if (count === 0) return Buffer.concat(chunks);
    if (count < 0) continue;
    total += count;
    if (total > maxBytes) throw new InputTooLarge(`standard input is longer than ${maxBytes} bytes`);
    chunks.push(chunk.subarray(0, count));
  }
}

/** Writes all of a text to a descriptor before returning. A reader that has gone away is no error of ours. */
export function writeAll(fd: 1 | 2, text: string): void {
  const bytes = Buffer.from(text);
  let written = 0;
  while (written < bytes.length) {
    try {
      written += fs.writeSync(fd, bytes, written);
    } catch (error) {
      const code = errnoOf(error);
      if (code === 'EAGAIN') continue;
      if (code === 'EPIPE') return;
      throw error;
    }
  }
}
