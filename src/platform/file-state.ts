import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { openRegular, readIfThere } from './files.ts';

/** A file as it is: its hash always, its bytes when they are few enough to keep. Null where no regular file is. */
export interface FileState {
  readonly hash: string;
  readonly content: Buffer | null;
}

const CHUNK = 1 << 20;

function hashOf(file: string | Buffer): string {
  const hash = createHash('sha256');
  const fd = openRegular(file);
  try {
    const chunk = Buffer.allocUnsafe(CHUNK);
    for (let count = fs.readSync(fd, chunk); count > 0; count = fs.readSync(fd, chunk))
      hash.update(chunk.subarray(0, count));
  } finally {
    fs.closeSync(fd);
  }
  return hash.digest('hex');
}

/** Reads a file's state; one larger than `maxBytes` is hashed piece by piece and not kept. */
export function readFileState(file: string | Buffer, maxBytes: number): FileState | null {
  const stat = fs.statSync(file, { throwIfNoEntry: false });
  if (!stat?.isFile()) return null;
  if (stat.size > maxBytes) return { hash: hashOf(file), content: null };
  const content = readIfThere(file);
  return content ? { hash: createHash('sha256').update(content).digest('hex'), content } : null;
}
