import { ratioOfRounds, summarise } from './stats.ts';

export type Unit = 'µs' | 'ms' | 's' | '/s' | 'MB/s' | 'MiB' | '×';

/** What is hoped for. Printed as met or not met; a run never fails for it. */
export interface Target {
  readonly text: string;
  readonly met: boolean;
}

/** One line of the report. A rate has no tail; a lone figure has no ratio. */
export interface Row {
  readonly name: string;
  readonly n: number;
  readonly unit: Unit;
  readonly p50: number;
  readonly p95?: number;
  readonly p99?: number;
  /** Times the reference's figure in the same run. */
  readonly ratio?: number;
  readonly reference?: string;
  readonly target?: Target;
  readonly note?: string;
}

type Rounds = readonly (readonly number[])[];
type Extra = Pick<Row, 'target' | 'note'>;

const PER_MS = { ms: 1, µs: 1_000, s: 0.001 } as const;

/** A row of timings that were taken in milliseconds. */
export function timingRow(
  name: string,
  samples: Rounds,
  unit: keyof typeof PER_MS,
  against?: { readonly name: string; readonly samples: Rounds },
  judge?: (row: Row) => Extra,
): Row {
  const { n, p50, p95, p99 } = summarise(samples);
  const scale = PER_MS[unit];
  const row: Row = {
    name,
    n,
    unit,
    p50: p50 * scale,
    p95: p95 * scale,
    p99: p99 * scale,
    ...(against ? { ratio: ratioOfRounds(samples, against.samples), reference: against.name } : {}),
  };
  return judge ? { ...row, ...judge(row) } : row;
}

/** A row of one rate a round. */
export function rateRow(
  name: string,
  rates: readonly number[],
  unit: Unit,
  against?: { readonly name: string; readonly rates: readonly number[] },
  judge?: (row: Row) => Extra,
): Row {
  const rounds = rates.map((rate) => [rate]);
  const row: Row = {
    name,
    n: rates.length,
    unit,
    p50: summarise(rounds).p50,
    ...(against
      ? {
          ratio: ratioOfRounds(
            rounds,
            against.rates.map((rate) => [rate]),
          ),
          reference: against.name,
        }
      : {}),
  };
  return judge ? { ...row, ...judge(row) } : row;
}

/** A judge that wants a figure at most this large. */
export function atMost(key: 'p50' | 'p95' | 'p99' | 'ratio', limit: number): (row: Row) => Extra {
  return (row) => ({
    target: {
      text: `${key} ≤ ${limit}${key === 'ratio' ? '×' : ` ${row.unit}`}`,
      met: (row[key] ?? Number.NaN) <= limit,
    },
  });
}

/** A judge that wants a figure at least this large. */
export function atLeast(key: 'p50' | 'ratio', limit: number): (row: Row) => Extra {
  return (row) => ({
    target: {
      text: `${key} ≥ ${limit}${key === 'ratio' ? '×' : ` ${row.unit}`}`,
      met: (row[key] ?? Number.NaN) >= limit,
    },
  });
}
