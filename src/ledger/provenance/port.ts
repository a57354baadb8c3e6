/** How far the index has read the ledger. */
export interface Position {
  /** Where the last indexed line starts, -1 while nothing is indexed: it is read again to see that the ledger is the same. */
  readonly lastOffset: number;
  readonly lastHash: string;
  readonly records: number;
  /** Counts the times the index was begun anew, so that two processes notice each other. */
  readonly generation: number;
}

/** What finds a record, collected for many: paths by their number in `paths`, records by their ledger offset. */
export interface IndexRows {
  readonly paths: ReadonlyMap<string, number>;
  /** Pairs of path and record. */
  readonly file: readonly number[];
  /** Pairs of path and the path it was moved from. */
  readonly move: readonly number[];
  /** Pairs of hash key and record. */
  readonly hash: readonly number[];
  /** Triples of line fingerprint, path and record. */
  readonly line: readonly number[];
}

/** A path's number in the index; means nothing elsewhere. */
export type PathId = number;

/**
 * The provenance index: derived from the trace records alone, so it may be dropped at any time. Rows hold only what
 * finds a record; the answer is always read from the ledger line itself, so a stale or forged row can hide a record
 * but never invent one.
 */
export interface ProvenanceIndex {
  /** Makes the index if it is missing or of another version. */
  ensure(): void;
  /** Empties the index: the ledger it was made from is gone. */
  reset(): Position;
  position(): Position;
  /**
   * Adds rows, in short transactions, and then moves the position; rows that are there already do no harm. False, with
   * nothing more written, when somebody has begun the index anew since `position` was read.
   */
  add(rows: IndexRows, position: Position): boolean;
  /** Records that name a hash, oldest first. */
  recordsOfHash(key: number, limit: number): number[];
  /** Records that name a path, newest first. */
  recordsOfPath(path: string, limit: number): number[];
  /** Names that a file had before recorded moves brought it to `path`, itself among them. */
  namesOf(path: string, limit: number): string[];
  pathId(path: string): PathId | null;
  /** Where a line was written. */
  linesAnywhere(print: number, limit: number): (readonly [path: PathId, record: number])[];
  /** Records that wrote a line at a path, oldest first. */
  linesAt(print: number, path: PathId, limit: number): number[];
}
