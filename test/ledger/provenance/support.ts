import { changedBlocks } from '../../../src/core/blocks.ts';
import { sha256 } from '../../../src/core/digest.ts';
import type { TraceRecord } from '../../../src/core/trace-record.ts';
import type { LedgerLine } from '../../../src/ledger/provenance/ledger-line.ts';

/** A ledger in memory: the lines with their byte offsets, and a reader of them. */
export class MemoryLedger {
  readonly lines: LedgerLine[] = [];
  /** Offsets that were asked for, to see what a call really read. */
  readonly reads: number[] = [];
  readonly #salt: string;

  constructor(salt = '') {
    this.#salt = salt;
  }

  write(
    intent: string,
    path: string,
    before: string | null,
    after: string,
    more: Partial<TraceRecord> = {},
  ): TraceRecord {
    const seq = this.lines.length;
    const { ranges } = changedBlocks(before === null ? null : Buffer.from(before), Buffer.from(after));
    const record: TraceRecord = {
      id: `trace-${seq}`,
      timestamp: new Date(1.7e12 + seq * 1000).toISOString(),
      writer: 'w',
      seq,
      previous_hash: '0'.repeat(64),
      entry_hash: sha256(`${this.#salt}${seq}${path}${after}`),
      intent_id: intent,
      intent_name: `name of ${intent}`,
      contributor: { type: 'ai', model_id: 'maker/model' },
      content_hash: sha256(after),
      previous_content_hash: before === null ? null : sha256(before),
      ranges,
      rationale: `because of ${intent}`,
      path,
      mutation: before === null ? 'create' : 'modify',
      tool_name: 'file_write',
      host: { name: 'test' },
      session_id: 'session',
      receipt_id: `receipt-${seq}`,
      vcs: null,
      ...more,
    };
    const offset = this.lines.at(-1)?.end ?? 0;
    this.lines.push({ record, offset, end: offset + JSON.stringify(record).length + 1 });
    return record;
  }

  readonly readFrom = (offset: number): LedgerLine[] => {
    this.reads.push(offset);
    const at = this.lines.findIndex((line) => line.offset === offset);
    if (at === -1 && offset !== 0) throw new Error(`no line starts at ${offset}`);
    return this.lines.slice(Math.max(0, at));
  };

  readonly readRecordAt = (offset: number): TraceRecord | undefined =>
    this.lines.find((line) => line.offset === offset)?.record;
}
