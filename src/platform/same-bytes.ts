import fs from 'node:fs';

const CHUNK = 1 << 20;

/** Whether two regular files hold the same bytes. */
export function sameBytes(one: Buffer, other: Buffer): boolean {
  const fds = [one, other].map((path) => fs.openSync(path, fs.constants.O_RDONLY | fs.constants.O_NOFOLLOW));
  const chunks = [Buffer.allocUnsafe(CHUNK), Buffer.allocUnsafe(CHUNK)] as const;
  try {
    for (;;) {
      const [a = 0, b = 0] = fds.map((fd, at) => fs.readSync(fd, chunks[at] as Buffer));
      if (a !== b || !chunks[0].subarray(0, a).equals(chunks[1].subarray(0, b))) return false;
      if (a === 0) return true;
    }
  } finally {
    for (const fd of fds) fs.closeSync(fd);
  }
}
