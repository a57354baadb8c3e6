import {
  breakBetween,
  CHAIN_START,
  type ChainHead,
  type ChainLink,
  type CheckedLink,
  checkLine,
  checkSealed,
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

export type LogRecord = ChainLink & Record<string, unknown>;

/** What a caller of {@link verifyLog} wants to see, and what it knows already. */
export interface Replay {
  /** Each good link, in order. */
  readonly onLink?: (link: CheckedLink, place: LinePlace) => void;
  /** Each good record: verifying and indexing are one pass over the file. Without it no line has to be parsed. */
  readonly visit?: (record: LogRecord, place: LinePlace) => void;
  /** A beginning that is taken for good and not read; line numbers and the result count it. */
  readonly known?: KnownPart;
}

type Inspected =
  | { readonly ok: true; readonly link: CheckedLink; readonly record: LogRecord | null }
  | { readonly ok: false; readonly why: string };

function inspect(text: string, field: HashField, parse: boolean): Inspected {
  const sealed = parse ? null : checkSealed(text, field);
  if (sealed) return { ok: true, link: sealed, record: null };
  const check = checkLine(text, field);
  if (!check.ok) return check;
  const { writer, seq, previous_hash } = check.record;
  return { ok: true, link: { writer, seq, previous_hash, hash: check.hash }, record: check.record };
}

/** Replays a log: every line's own hash, then each writer's chain (R-102, H-77). Stops at the first bad line. */
export function verifyLog(file: string, name: LogName, replay: Replay = {}): Verification {
  const { onLink, visit, known = NOTHING_KNOWN } = replay;
  const field = HASH_FIELD[name];
  const heads = new Map(known.heads);
  let { lines, bytes: goodBytes } = known;
  for (const line of readLines(file, known.bytes)) {
    if (line.torn) {
      const torn = { offset: line.offset, length: line.end - line.offset };
      return { lines, goodBytes, heads, bad: null, torn };
    }
    const found: Inspected = line.utf8
      ? inspect(line.text, field, visit !== undefined)
      : { ok: false, why: 'is not UTF-8' };
    const why = found.ok ? breakBetween(heads.get(found.link.writer) ?? CHAIN_START, found.link) : found.why;
    if (!found.ok || why !== null) {
      const bad = { line: known.lines + line.number, offset: line.offset, why: why ?? '' };
      return { lines, goodBytes, heads, bad, torn: null };
    }
    heads.set(found.link.writer, found.link);
    lines += 1;
    goodBytes = line.end;
    onLink?.(found.link, line);
    if (found.record) visit?.(found.record, line);
  }
  return { lines, goodBytes, heads, bad: null, torn: null };
}
