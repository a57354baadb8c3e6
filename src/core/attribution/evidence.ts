import { normaliseLine, STRONG_WORD_CHARS } from '../fingerprint.ts';
import type { FileLine, RecordedLine, Run } from './runs.ts';
import type { FileText } from './types.ts';

/** A line written at more places than this is common: it proves nothing about another file (H-83). */
const MAX_RARE = 5;
/** A short line carries on a run of the same block within this many lines. */
const MAX_REACH = 12;
/** Word characters from which a run is the text's origin even if a longer, later run holds it too. */
const ORIGINAL_WORD_CHARS = 40;

/** How often each fingerprint stands in the file and was written by records. */
export interface Counts {
  readonly inFile: ReadonlyMap<number, number>;
  readonly written: ReadonlyMap<number, number>;
  readonly writtenHere: ReadonlyMap<number, number>;
}

/** Counts both sides. A carried line was not written again, so it does not count. */
export function countLines(file: FileText, lines: readonly FileLine[], row: readonly RecordedLine[]): Counts {
  const inFile = new Map<number, number>();
  const written = new Map<number, number>();
  const writtenHere = new Map<number, number>();
  const add = (map: Map<number, number>, print: number): void => {
    map.set(print, (map.get(print) ?? 0) + 1);
  };
  if (file.window === undefined) for (const { print } of lines) add(inFile, print);
  else {
    // Outside the window equal texts are counted without hashing them: that is most of a large file.
    const texts = new Map<string, number>();
    for (const text of file.lines) {
      const form = normaliseLine(text);
      texts.set(form, (texts.get(form) ?? 0) + 1);
    }
    for (const { print, index } of lines) inFile.set(print, texts.get(normaliseLine(file.lines[index]!))!);
  }
  for (const { print, carried, samePath } of row) {
    if (carried) continue;
    add(written, print);
    if (samePath) add(writtenHere, print);
  }
  return { inFile, written, writtenHere };
}

/** True for a line that few records wrote and that the file does not hold more often than they. */
function isRare(line: FileLine, counts: Counts): boolean {
  const written = counts.written.get(line.print) ?? 0;
  return written <= MAX_RARE && (counts.inFile.get(line.print) ?? 0) <= Math.max(1, written);
}

/** The line that a run of one stands on. */
function loneLine(run: Run, lines: readonly FileLine[]): FileLine {
  return lines.slice(run.at, run.at + run.length).find(({ weight }) => weight !== 'trivial')!;
}

/** The lines of a run that few records wrote. */
function rareLines(run: Run, lines: readonly FileLine[], counts: Counts): FileLine[] {
  const covered = lines.slice(run.at, run.at + run.length);
  return covered.filter((line) => line.weight !== 'trivial' && !line.importLike && isRare(line, counts));
}

/** A run that would be evidence in any file: a rare line that says enough alone, or more than one line. */
function isDistinctive(run: Run, rare: readonly FileLine[]): boolean {
  return rare.some(({ weight }) => weight === 'strong') || (rare.length > 0 && run.ownLines >= 2);
}

/** True for a run that is evidence by itself (H-83: prefer no answer to a guess). */
export function isEvidence(run: Run, lines: readonly FileLine[], counts: Counts): boolean {
  if (run.samePath) {
    if (run.substance >= 2) return true;
    const { print } = loneLine(run, lines);
    // The file has more of them than the records wrote, so a human wrote one of them, and it is unknown which.
    return (counts.inFile.get(print) ?? 0) <= (counts.writtenHere.get(print) ?? 0);
  }
  return run.ownWordChars >= STRONG_WORD_CHARS && isDistinctive(run, rareLines(run, lines, counts));
}

/** True when the run is the text's origin although a later record holds it in a longer one, as after a move. */
export function isOriginal(run: Run, lines: readonly FileLine[], counts: Counts): boolean {
  const rare = rareLines(run, lines, counts);
  // A line that is proof alone is proof within a run too.
  if (rare.some(({ weight }) => weight === 'strong')) return true;
  return run.ownWordChars >= ORIGINAL_WORD_CHARS && isDistinctive(run, rare);
}

/**
 * Adds the runs that are too short to stand alone but carry on an accepted run of the same block at the same
 * distance: what a human left standing between two edited lines.
 */
export function withCompany(accepted: readonly Run[], others: readonly Run[]): Run[] {
  const byDiagonal = new Map<number, Run[]>();
  for (const run of accepted) {
    const peers = byDiagonal.get(run.from - run.at);
    if (peers === undefined) byDiagonal.set(run.from - run.at, [run]);
    else peers.push(run);
  }
  return others.filter((run) =>
    byDiagonal.get(run.from - run.at)?.some((peer) => {
      const gap = Math.max(peer.at - (run.at + run.length), run.at - (peer.at + peer.length));
      return peer.block === run.block && gap <= MAX_REACH;
    }),
  );
}
