/** Figures of one task in one round or of all rounds together. */
export interface Summary {
  readonly n: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
}

/** Samples that a quantile of the tail needs in one round; with fewer, all rounds are taken together. */
const ENOUGH_FOR_TAIL = 200;

/** Nearest-rank quantile of values in ascending order: a value that was measured, never one in between. */
export function quantile(sorted: readonly number[], q: number): number {
  if (sorted.length === 0) return Number.NaN;
  const rank = Math.ceil(q * sorted.length);
  return sorted[Math.min(sorted.length, Math.max(1, rank)) - 1] as number;
}

function ascending(values: readonly number[]): number[] {
  return [...values].sort((a, b) => a - b);
}

/** The middle value; of an even count the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = ascending(values);
  const half = sorted.length >> 1;
  if (sorted.length === 0) return Number.NaN;
  if (sorted.length % 2 === 1) return sorted[half] as number;
  return ((sorted[half - 1] as number) + (sorted[half] as number)) / 2;
}

/**
 * Samples of several rounds in one line: the median of the rounds' medians, so that one disturbed round does not
 * count, and the same for the tail where each round has samples enough to have one.
 */
export function summarise(rounds: readonly (readonly number[])[]): Summary {
  const sorted = rounds.filter((round) => round.length > 0).map(ascending);
  const all = ascending(sorted.flat());
  const tail = (q: number): number =>
    sorted.every((round) => round.length >= ENOUGH_FOR_TAIL)
      ? median(sorted.map((round) => quantile(round, q)))
      : quantile(all, q);
  const p50 = median(sorted.map((round) => quantile(round, 0.5)));
  return { n: all.length, p50, p95: tail(0.95), p99: tail(0.99) };
}

/**
 * How many times as much as the reference, round by round and then the median: load that comes and goes touches
 * both sides of one round alike.
 */
export function ratioOfRounds(
  rounds: readonly (readonly number[])[],
  reference: readonly (readonly number[])[],
): number {
  const pairs = Math.min(rounds.length, reference.length);
  const ratios: number[] = [];
  for (let round = 0; round < pairs; round += 1)
    ratios.push(median(rounds[round] ?? []) / median(reference[round] ?? []));
  return median(ratios.filter(Number.isFinite));
}
