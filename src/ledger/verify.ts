import {
  breakBetween,
  CHAIN_START,
  type ChainHead,
  type ChainLink,
  checkLine,
  type HashField,
} from '../core/chain.ts';
import { readLines } from '../platform/read-lines.ts';

/** The two logs of a workspace. */
export type LogName = 'receipts' | 'trace';

export const HASH_FIELD: Readonly<Record<LogName, HashField>> = {
  receipts: 'receipt_hash',
  trace: 'entry_hash',
};

/** First line that cannot be trusted. */
export interface BadLine {
  /** 1-based position in the file. */
  readonly line: number;
  readonly offset: number;
  readonly why: string;
}

/** What reading a log from its beginning found. */
export interface Verification {
  readonly lines: number;
  /** Bytes up to and with the last good line. */
  readonly goodBytes: number;
  readonly heads: ReadonlyMap<string, ChainHead>;
  readonly bad: BadLine | null;
  /** Bytes after the last newline: an append that never finished. */
  readonly torn: { readonly offset: number; readonly length: number } | null;
}

/** How far a log is known to be good. */
export interface KnownPart {
  readonly bytes: number;
  readonly lines: number;
  readonly heads: ReadonlyMap<string, ChainHead>;
}

const NOTHING_KNOWN: KnownPart = { bytes: 0, lines: 0, heads: new Map() };

export interface LinePlace {
  readonly offset: number;
  readonly end: number;
  readonly number: number;
}

/**
 * Replays a log: every line's own hash, then each writer's chain (R-102, H-77). Stops at the first bad line.
 * `visit` sees each good record, so that verifying and indexing are one pass over the file. `known` is a beginning
 * that is taken for good and not read; line numbers and the result count it.
 */
export function verifyLog(
  file: string,
  name: LogName,
  visit?: (record: ChainLink & Record<string, unknown>, place: LinePlace) => void,
  known: KnownPart = NOTHING_KNOWN,
): Verification {
  const field = HASH_FIELD[name];
  const heads = new Map(known.heads);
  let { lines, bytes: goodBytes } = known;
  for (const line of readLines(file, known.bytes)) {
    if (line.torn) {
      const torn = { offset: line.offset, length: line.end - line.offset };
      return { lines, goodBytes, heads, bad: null, torn };
    }
    const bad = (why: string): Verification => ({
      lines,
      goodBytes,
      heads,
      bad: { line: known.lines + line.number, offset: line.offset, why },
      torn: null,
    });
    if (!line.utf8) return bad('is not UTF-8');
    const check = checkLine(line.text, field);
    if (!check.ok) return bad(check.why);
    const why = breakBetween(heads.get(check.record.writer) ?? CHAIN_START, check.record);
    if (why) return bad(why);
    heads.set(check.record.writer, { seq: check.record.seq, hash: check.hash });
    lines += 1;
    goodBytes = line.end;
    visit?.(check.record, line);
  }
  return { lines, goodBytes, heads, bad: null, torn: null };
}
