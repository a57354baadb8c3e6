import type { Contributor, TraceRecord } from '../../core/trace-record.ts';
import type { Mutation } from '../../core/words.ts';

/** Everything a reader asks of a line's origin, taken from its ledger line (H-81). */
export interface OriginFacts {
  readonly intentId: string;
  readonly intentName: string;
  readonly timestamp: string;
  readonly contributor: Contributor['type'];
  readonly model: string | null;
  readonly rationale: string;
  readonly sessionId: string;
  readonly receiptId: string;
  readonly tool: string;
  readonly mutation: Mutation;
  /** Where the text stood when it was recorded. */
  readonly originalPath: string;
  /** The line itself when it is known, else the block's first line. */
  readonly originalLine: number;
  /** SHA-256 of the recorded block. */
  readonly blockHash: string;
  readonly traceId: string;
  readonly writer: string;
  readonly seq: number;
}

/** Takes the facts of one block from its record. */
export function toFacts(record: TraceRecord, rangeIndex: number, line?: number): OriginFacts {
  const range = record.ranges[rangeIndex]!;
  return {
    intentId: record.intent_id,
    intentName: record.intent_name,
    timestamp: record.timestamp,
    contributor: record.contributor.type,
    model: record.contributor.model_id ?? null,
    rationale: record.rationale,
    sessionId: record.session_id,
    receiptId: record.receipt_id,
    tool: record.tool_name,
    mutation: record.mutation,
    originalPath: record.path ?? '',
    originalLine: line ?? range.start_line,
    blockHash: range.content_hash,
    traceId: record.id,
    writer: record.writer,
    seq: record.seq,
  };
}
