import { isAscii, isUtf8 } from 'node:buffer';
import fs from 'node:fs';
import { openRegular, unlessMissing } from './files.ts';

/** One line of a log with its place. `torn` = the file ends before the line does. */
export interface LogLine {
  readonly text: string;
  readonly offset: number;
  /** Offset just after the newline. */
  readonly end: number;
  /** 1-based, counted from where reading began. */
  readonly number: number;
  readonly torn: boolean;
  /** The bytes are UTF-8. When they are not, `text` is not what lies on disk. */
  readonly utf8: boolean;
}

const CHUNK = 1 << 20;

/**
 * The lines of a file from byte `from` on, one chunk of it in memory at a time. A missing file has no lines.
 * Bytes that are not UTF-8 become U+FFFD in `text`; `utf8` tells, because a line may hold that character itself.
 */
export function* readLines(file: string, from = 0): Generator<LogLine> {
  const fd = unlessMissing(() => openRegular(file));
  if (fd === null) return;
  try {
    let rest: Buffer = Buffer.alloc(0);
    let offset = from;
    let position = from;
    let number = 0;
    for (;;) {
      const chunk = Buffer.allocUnsafe(CHUNK);
      const count = fs.readSync(fd, chunk, 0, CHUNK, position);
      if (count === 0) break;
      position += count;
      const data =
        rest.length === 0 ? chunk.subarray(0, count) : Buffer.concat([rest, chunk.subarray(0, count)]);
      const end = data.lastIndexOf(10) + 1;
      const whole = data.subarray(0, end);
      // Logs are ASCII nearly everywhere: such a chunk becomes one string, of which every line is a slice.
      const ascii = isAscii(whole) ? whole.toString('latin1') : null;
      for (let begin = 0; begin < end; ) {
        const newline = ascii === null ? data.indexOf(10, begin) : ascii.indexOf('\n', begin);
        const text = ascii === null ? data.toString('utf8', begin, newline) : ascii.slice(begin, newline);
        const utf8 = ascii !== null || isUtf8(data.subarray(begin, newline));
        number += 1;
        yield { text, offset: offset + begin, end: offset + newline + 1, number, torn: false, utf8 };
        begin = newline + 1;
      }
      offset += end;
      rest = data.subarray(end);
    }
    if (rest.length > 0)
      yield {
        text: rest.toString('utf8'),
        offset,
        end: offset + rest.length,
        number: number + 1,
        torn: true,
        utf8: isUtf8(rest),
      };
  } finally {
    fs.closeSync(fd);
  }
}
