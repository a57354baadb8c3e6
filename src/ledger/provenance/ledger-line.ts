import type { TraceRecord } from '../../core/trace-record.ts';

/** A record and the bytes `[offset, end)` of its ledger line. */
export interface LedgerLine {
  readonly record: TraceRecord;
  readonly offset: number;
  readonly end: number;
}
