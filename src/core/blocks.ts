import { diffSpans, type Span } from './attribution/line-diff.ts';
import { sha256 } from './digest.ts';
import { CARRIED, fingerprintLine, isTrivial, packFingerprints, splitLines } from './fingerprint.ts';
import type { TraceRange } from './trace-record.ts';

/** Lines of one mutation that get a fingerprint; a generated file beyond that is known by its hashes only. */
export const MAX_FINGERPRINTED_LINES = 20_000;

/** Ranges that one record may hold. Beyond it, the nearest ones are joined. */
export const MAX_RANGES = 1_000;

/** Lines of both versions together beyond which a file is one block without fingerprints. */
const MAX_LINES = 4_000_000;

/** What a mutation wrote. */
export interface ChangedBlocks {
  readonly ranges: TraceRange[];
  /** The new content holds a NUL byte: it has no lines, only its file hash counts. */
  readonly binary: boolean;
}

/**
 * The lines of `after` that a mutation wrote, as contiguous blocks with the SHA-256 of their exact bytes and
 * their line fingerprints (H-73, H-80). A line that the mutation only moved or re-indented is in its block,
 * but its fingerprint has the CARRIED mark, so that the mover is never taken for the author (H-83).
 */
export function changedBlocks(before: Uint8Array | null, after: Uint8Array): ChangedBlocks {
  if (after.includes(0)) return { ranges: [], binary: true };
  const old = before === null || before.includes(0) ? new Uint8Array() : before;
  const lineCount = countLines(after);
  if (lineCount + countLines(old) > MAX_LINES) {
    const all = { start_line: 1, end_line: lineCount, content_hash: sha256(after), lines: '' };
    return { ranges: lineCount > 0 ? [all] : [], binary: false };
  }
  const newLines = splitLines(after);
  const oldLines = splitLines(old);
  const spans = diffSpans(oldLines, newLines).filter((span) => span.a1 > span.a0 || span.b1 > span.b0);
  return { ranges: toRanges(joinNearest(spans), oldLines, newLines), binary: false };
}

function countLines(bytes: Uint8Array): number {
  let count = bytes.length > 0 && bytes.at(-1) !== 10 ? 1 : 0;
  for (let i = 0; i < bytes.length; i++) if (bytes[i] === 10) count++;
  return count;
}

/**
 * Joins neighbours until at most MAX_RANGES are left, so that a hostile file cannot bloat the ledger. The
 * unchanged lines between them stand on both sides of the joined span and so get the CARRIED mark.
 */
function joinNearest(spans: readonly Span[]): Span[] {
  let joined = [...spans];
  for (let distance = 1; joined.length > MAX_RANGES; distance *= 2) {
    const wider: Span[] = [];
    for (const span of joined) {
      const last = wider.at(-1);
      if (last === undefined || span.a0 - last.a1 > distance) wider.push(span);
      else wider[wider.length - 1] = { ...last, b1: span.b1, a1: span.a1 };
    }
    joined = wider;
  }
  return joined;
}

/** Hashes and fingerprints the new side of each span. */
function toRanges(spans: readonly Span[], before: readonly string[], after: readonly string[]): TraceRange[] {
  const removed = new Map<number, number>();
  let budget = MAX_FINGERPRINTED_LINES * 2;
  for (const { b0, b1 } of spans) {
    for (let i = b0; i < b1 && budget > 0; i++, budget--) {
      const print = fingerprintLine(before[i]!);
      removed.set(print, (removed.get(print) ?? 0) + 1);
    }
  }
  let left = MAX_FINGERPRINTED_LINES;
  const ranges: TraceRange[] = [];
  for (const { a0, a1 } of spans) {
    if (a0 === a1) continue;
    const lines = after.slice(a0, a1);
    const prints = lines.slice(0, left).map((line) => {
      const print = fingerprintLine(line);
      const stock = removed.get(print) ?? 0;
      if (stock === 0 || isTrivial(line)) return print;
      removed.set(print, stock - 1);
      return print + CARRIED;
    });
    left -= prints.length;
    const content_hash = sha256(Buffer.from(lines.join(''), 'latin1'));
    ranges.push({ start_line: a0 + 1, end_line: a1, content_hash, lines: packFingerprints(prints) });
  }
  return ranges;
}
