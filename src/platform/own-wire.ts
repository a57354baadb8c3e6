import net from 'node:net';
import type { Writable } from 'node:stream';
import { LineWire } from './line-wire.ts';
import type { Wire } from './wire.ts';

/** Node writes to a pipe on standard output synchronously: a client that does not read would stop the whole process. */
function standardOutput(): Writable {
  try {
    return new net.Socket({ fd: 1, readable: false, writable: true });
  } catch {
    return process.stdout;
  }
}

/** Our own standard input and output, a message a line. A message over the limit is reported as garbage. */
export function ownWire(): Wire {
  return new LineWire(process.stdin, standardOutput());
}

/** How much may wait to be written to standard error before lines are dropped, in bytes. */
const MAX_SAID = 1 << 20;

/** Writes lines to standard error without ever waiting for its reader; a reader that stands still loses lines. */
export function ownErrors(): (line: string) => void {
  let stream: Writable = process.stderr;
  try {
    stream = new net.Socket({ fd: 2, readable: false, writable: true });
    stream.on('error', () => undefined);
  } catch {
    // A file or a terminal: those take what they are given.
  }
  return (line) => {
    if (stream.writable && stream.writableLength < MAX_SAID) stream.write(`${line}\n`);
  };
}
