import { fingerprintLine, weighLine } from '../../core/fingerprint.ts';
import { byPath } from './lookup.ts';
import type { ProvenanceIndex } from './port.ts';

/** Document frequency from which a line is common: then only records of the same file are looked at. */
const MAX_FREQUENCY = 32;
/** Records read for one answer, of the file itself and of others. Each costs a read of a ledger line. */
const MAX_SAME_PATH = 1_500;
const MAX_ELSEWHERE = 200;
/** Newest records of the file that are always candidates: they may be known by bytes alone. */
const NEWEST = 16;

/**
 * Offsets of the ledger lines that may explain lines of a file (H-80, H-83), bounded: the file's own records
 * first, then those elsewhere that share the rarest lines with it. `lines` are byte strings (`splitLines`).
 */
export function candidatesFor(
  index: ProvenanceIndex,
  path: string,
  lines: readonly string[],
  formerPaths: ReadonlySet<string> = new Set(),
): number[] {
  const own = [path, ...formerPaths].flatMap((name) => index.pathId(name) ?? []);
  const votesHere = new Map<number, number>();
  const votesElsewhere = new Map<number, { score: number; lines: number; strong: boolean }>();
  for (const [print, strong] of tellingLines(lines)) {
    const rows = index.linesAnywhere(print, MAX_FREQUENCY + 1);
    if (rows.length > MAX_FREQUENCY) {
      for (const id of own)
        for (const record of index.linesAt(print, id, MAX_FREQUENCY)) vote(votesHere, record, 1);
      continue;
    }
    for (const [id, record] of rows) {
      if (own.includes(id)) {
        vote(votesHere, record, 1);
        continue;
      }
      const votes = votesElsewhere.get(record) ?? { score: 0, lines: 0, strong: false };
      votes.score += 1 / rows.length;
      votes.lines++;
      votes.strong ||= strong;
      votesElsewhere.set(record, votes);
    }
  }
  for (const name of [path, ...formerPaths])
    for (const record of byPath(index, name, NEWEST)) vote(votesHere, record, 0);
  const elsewhere = [...votesElsewhere]
    .filter(([, votes]) => votes.strong || votes.lines >= 2)
    .map(([record, votes]) => [record, votes.score] as const);
  return [...top([...votesHere], MAX_SAME_PATH), ...top(elsewhere, MAX_ELSEWHERE)].sort((a, b) => a - b);
}

/** Fingerprints of the lines that say something, and whether one says enough alone. */
function tellingLines(lines: readonly string[]): Map<number, boolean> {
  const telling = new Map<number, boolean>();
  for (const text of new Set(lines)) {
    const weight = weighLine(text);
    if (weight !== 'trivial') telling.set(fingerprintLine(text), weight === 'strong');
  }
  return telling;
}

function vote(votes: Map<number, number>, record: number, weight: number): void {
  votes.set(record, (votes.get(record) ?? 0) + weight);
}

/** The best-voted records; the older of two equals, because it may be the origin. */
function top(votes: readonly (readonly [record: number, score: number])[], limit: number): number[] {
  return [...votes]
    .sort((a, b) => b[1] - a[1] || a[0] - b[0])
    .slice(0, limit)
    .map(([record]) => record);
}
