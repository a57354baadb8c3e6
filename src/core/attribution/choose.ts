import type { RecordedLine, Run } from './runs.ts';
import { type Evidence, isEarlier, type LineAnswer } from './types.ts';

/** One recorded line that a line of the file may come from. */
export interface Place {
  readonly run: Run;
  readonly recorded: RecordedLine;
  /** The run is distinctive enough to be the origin although a later one is longer. */
  readonly original: boolean;
}

/**
 * Picks a line's origin among the accepted runs over it: the longest, then one of the same path, then the
 * earliest; but text that `outlives` says was moved belongs to the earliest record that wrote it. Two intents
 * that nothing puts in order are both named (H-83).
 */
export function choose(
  places: readonly Place[],
  outlives: (place: Place) => boolean,
  evidenceOf: (run: Run) => Evidence,
): LineAnswer {
  const writers = places.filter(({ recorded }) => !recorded.carried);
  let best = writers[0];
  if (best === undefined) return { kind: 'unattributed', touchedBy: keysOf(places) };
  for (const place of writers) if (isBetter(place, best)) best = place;
  const rank = best;
  const equals = writers.filter((place) => outlives(place) || ranksAs(place, rank));
  for (const place of equals) if (isEarlier(place.run.block, best.run.block)) best = place;

  const { block } = best.run;
  const tied = equals.filter(
    ({ run }) =>
      !isEarlier(block, run.block) && !isEarlier(run.block, block) && run.block.intentId !== block.intentId,
  );
  if (tied.length > 0) return { kind: 'ambiguous', origins: [best, ...tied].map(originOf) };
  const later = places.filter(({ run }) => isEarlier(block, run.block));
  return { kind: 'origin', origin: originOf(best), evidence: evidenceOf(best.run), touchedBy: keysOf(later) };
}

/**
 * Prefers longer runs, then the same path, then the earlier record. The key breaks ties, so that the answer is stable.
 */
function isBetter(a: Place, b: Place): boolean {
  if (a.run.substance !== b.run.substance) return a.run.substance > b.run.substance;
  if (a.run.samePath !== b.run.samePath) return a.run.samePath;
  if (isEarlier(a.run.block, b.run.block)) return true;
  return !isEarlier(b.run.block, a.run.block) && a.run.block.key < b.run.block.key;
}

function ranksAs(a: Place, b: Place): boolean {
  return a.run.substance === b.run.substance && a.run.samePath === b.run.samePath;
}

function originOf({ recorded }: Place): { key: number; line: number } {
  return { key: recorded.block.key, line: recorded.block.startLine + recorded.index };
}

function keysOf(places: readonly Place[]): number[] {
  return [...new Set(places.map(({ run }) => run.block.key))];
}
