/** A block of a trace record, as attribution needs it (H-80). */
export interface RecordedBlock {
  /** Names the block in the answer; unique among the candidates. */
  readonly key: number;
  /** Path that the record names. */
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly contentHash: string;
  /** Unpacked `TraceRange.lines`, CARRIED marks included; may be shorter than the block. */
  readonly prints: readonly number[];
  readonly intentId: string;
  /** RFC 3339. */
  readonly timestamp: string;
  readonly writer: string;
  readonly seq: number;
  /**
   * Fingerprints that the file at `path` holds today, when the caller could look. A line still standing
   * there was copied or written twice, not moved.
   */
  readonly standing?: ReadonlySet<number>;
}

/** The file to explain. */
export interface FileText {
  readonly path: string;
  /** Earlier names of the file: their records count as records of this path. */
  readonly formerPaths?: ReadonlySet<string>;
  /** As `splitLines` cuts them. */
  readonly lines: readonly string[];
  /** Lines to match, 0-based and half open; all by default. The rest only counts, and is not answered. */
  readonly window?: { readonly from: number; readonly to: number };
}

/** Where a line stood when it was recorded. */
export interface Origin {
  readonly key: number;
  /** 1-based, in the file as the record left it. */
  readonly line: number;
}

/**
 * Why a line is given to a block: the whole block stands there byte for byte; its own text is evidence; or it
 * says nothing itself but stands inside such a run.
 */
export type Evidence = 'exact' | 'lines' | 'context';

/** What attribution says of one line (H-81, H-83). */
export type LineAnswer =
  | {
      readonly kind: 'origin';
      readonly origin: Origin;
      readonly evidence: Evidence;
      /** Later blocks that hold the same text, for example of the agent that moved it. */
      readonly touchedBy: readonly number[];
    }
  | { readonly kind: 'ambiguous'; readonly origins: readonly Origin[] }
  | {
      readonly kind: 'unattributed';
      /** Blocks that moved or re-indented the line, though no record wrote it. */
      readonly touchedBy: readonly number[];
    };

/** True when block `a` is known to be older than `b`: by the writer's own count, else by the clock. */
export function isEarlier(a: RecordedBlock, b: RecordedBlock): boolean {
  if (a.writer === b.writer) return a.seq < b.seq;
  return Date.parse(a.timestamp) < Date.parse(b.timestamp);
}
