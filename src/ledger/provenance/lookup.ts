import { sha256 } from '../../core/digest.ts';
import type { TraceRecord } from '../../core/trace-record.ts';
import type { ProvenanceIndex } from './port.ts';
import { toHashKey } from './rows.ts';

/** Reads the record whose ledger line starts at a byte offset; undefined if none does. */
export type ReadRecordAt = (offset: number) => TraceRecord | undefined;

/** A record that a hash names, and what in it has that hash. */
export interface HashMatch {
  readonly record: TraceRecord;
  readonly offset: number;
  /** The file (or removed content, or run) as a whole. */
  readonly whole: boolean;
  /** Indexes into `record.ranges`. */
  readonly ranges: readonly number[];
}

/** Records of one answer; more than that is a listing for the ledger itself. */
const MAX_RECORDS = 1_000;
const MAX_NAMES = 64;

/** Records whose file or block has a SHA-256; `sha256:` before it is allowed (H-82). Oldest ledger line first. */
export function byHash(index: ProvenanceIndex, hash: string, readRecordAt: ReadRecordAt): HashMatch[] {
  const hex = hash
    .trim()
    .toLowerCase()
    .replace(/^sha256:/, '');
  if (!/^[0-9a-f]{64}$/.test(hex)) return [];
  return index.recordsOfHash(toHashKey(hex), MAX_RECORDS).flatMap((offset) => {
    const record = readRecordAt(offset);
    if (record === undefined) return [];
    const whole = record.content_hash === hex;
    const ranges = record.ranges.flatMap((range, i) => (range.content_hash === hex ? [i] : []));
    return whole || ranges.length > 0 ? [{ record, offset, whole, ranges }] : [];
  });
}

/** Records whose file or block has these bytes, whether or not a final newline came along (H-80, H-82). */
export function byContent(
  index: ProvenanceIndex,
  content: Uint8Array,
  readRecordAt: ReadRecordAt,
): HashMatch[] {
  const bare = content.at(-1) === 10 ? content.subarray(0, -1) : content;
  const ended = Buffer.concat([bare, Buffer.from('\n')]);
  const seen = new Set<number>();
  return [content, bare, ended]
    .flatMap((bytes) => byHash(index, sha256(bytes), readRecordAt))
    .filter(({ offset }) => !seen.has(offset) && seen.add(offset));
}

/** Offsets of the records that name a path, in ledger order; the newest `limit` of them (H-84). */
export function byPath(index: ProvenanceIndex, path: string, limit = MAX_RECORDS): number[] {
  return index.recordsOfPath(path, limit).reverse();
}

/** Names that a file had before recorded moves brought it to `path`. */
export function formerPathsOf(index: ProvenanceIndex, path: string): Set<string> {
  return new Set(index.namesOf(path, MAX_NAMES).filter((name) => name !== path));
}
