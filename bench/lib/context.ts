import type { Row } from './rows.ts';

/** What a benchmark is given. */
export interface BenchContext {
  /** Ten thousand records where a full run has a million, and fewer rounds. */
  readonly quick: boolean;
  /** Folder of this run, shared by its benchmarks; deleted when the run ends. */
  readonly scratch: string;
  /** How long a benchmark that runs by the clock is to take; its own default when absent. */
  readonly minutes?: number;
  /** Where `bin/` and the built `dist/` lie. */
  readonly install: string;
  /** Says on standard error what is being done. */
  readonly say: (text: string) => void;
}

/** A benchmark: measures and returns its lines. */
export type Bench = (context: BenchContext) => Promise<Row[]>;
