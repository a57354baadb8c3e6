import { wellFormed } from '../core/json.ts';
import type { Layout } from '../core/layout.ts';
import type { Receipt, ReceiptDraft } from '../core/receipt.ts';
import type { TraceDraft, TraceRecord } from '../core/trace-record.ts';
import { newUuid, nowIso, nowIsoSeconds } from '../platform/clock.ts';
import { Ingest } from './ingest.ts';
import { LogFile, type TornTail } from './log-file.ts';
import type { News } from './news.ts';
import { agentTraceOf, recoveryOf, settledOf } from './own-records.ts';
import type { Reading, Tables, Writing } from './port.ts';
import { withoutSecrets } from './without-secrets.ts';

/** What a transaction may do: read and write the state tables, and append to both logs. */
export interface Tx extends Reading, Writing {
  /** Appends a receipt; durable when the transaction returns. */
  receipt(draft: ReceiptDraft): Receipt;
  /** Appends a ledger record; durable when the transaction returns. */
  trace(draft: TraceDraft): TraceRecord;
}

/** `receipt-<writer>-<seq>`: unique, ordered, and needs no index of its own. */
function receiptId(writer: string, seq: number): string {
  return `receipt-${writer.slice(0, 12)}-${seq}`;
}

/** Both logs and the view of them: what is appended is folded in at once, as what others appended is. */
export class BothLogs {
  readonly tx: Tx;
  readonly #receipts: LogFile;
  readonly #trace: LogFile;
  readonly #ingest: Ingest;
  #news: News[] = [];

  /** `tells` is whether anybody hears the news. */
  constructor(
    private readonly layout: Layout,
    private readonly writer: string,
    private readonly tables: Tables,
    private readonly tells: boolean,
  ) {
    this.#receipts = new LogFile('receipts', layout.receipts, tables);
    this.#trace = new LogFile('trace', layout.trace, tables);
    this.#ingest = new Ingest(tables);
    this.tx = {
      ...tables,
      receipt: (draft) => this.#receipt(draft),
      trace: (draft) => this.#record(draft),
      putSession: (row) => {
        const before = tells ? tables.session(row.id).state : row.state;
        tables.putSession(row);
        if (before !== row.state) this.#news.push({ session: row.id, from: before, to: row.state });
      },
      // A trip that has reached the human's file leaves a receipt. Without it a rebuild could not tell a human's reset
      // from a trip whose process died before it wrote the file, and would open a new budget window (H-91).
      markTrip: (intentId, written) => {
        tables.markTrip(intentId, written);
        if (written) this.#receipt(settledOf(intentId));
      },
    };
  }

  /** Takes the news since it was taken last. */
  takeNews(): readonly News[] {
    return this.#news.splice(0);
  }

  /** Returns a function that takes back what was appended and told since. */
  checkpoint(): () => void {
    const undo = [this.#receipts.checkpoint(), this.#trace.checkpoint()];
    const heard = this.#news.length;
    return () => {
      for (const one of undo) one();
      this.#news.length = heard;
    };
  }

  /** Puts what was appended on disk. */
  flush(): void {
    this.#trace.flush();
    this.#receipts.flush();
  }

  /** Whether both files are as they were left. */
  isAsLeft(): boolean {
    return this.#receipts.isAsLeft() && this.#trace.isAsLeft();
  }

  /** Brings the view up to the logs; `limit` is the longest log, in bytes, that is read from its beginning. */
  catchUp(limit: number): void {
    const tails: TornTail[] = [];
    const { quarantine } = this.layout;
    const receipts = this.#receipts.catchUp(
      quarantine,
      limit,
      () => this.tables.forget('receipts'),
      (record) => this.#ingest.receipt(record as unknown as Receipt),
    );
    if (receipts) tails.push(receipts);
    const trace = this.#trace.catchUp(
      quarantine,
      limit,
      () => this.tables.forget('trace'),
      (record, place) => this.#ingest.trace(record as unknown as TraceRecord, place.offset),
    );
    if (trace) tails.push(trace);
    for (const tail of tails) this.#receipt(recoveryOf(tail));
  }

  #receipt(draft: ReceiptDraft): Receipt {
    const id = receiptId(this.writer, this.#receipts.nextSeq(this.writer));
    const stamped = { ...withoutSecrets(wellFormed(draft)), id, timestamp: nowIsoSeconds() };
    const { record } = this.#receipts.queue(stamped, this.writer);
    const receipt = record as unknown as Receipt;
    this.#ingest.receipt(receipt);
    if (this.tells) this.#news.push({ receipt });
    return receipt;
  }

  #record(draft: TraceDraft): TraceRecord {
    const stamped = { ...wellFormed(draft), id: newUuid(), timestamp: nowIso() };
    const { record, offset } = this.#trace.queue({ ...agentTraceOf(stamped), ...stamped }, this.writer);
    const entry = record as unknown as TraceRecord;
    this.#ingest.trace(entry, offset);
    return entry;
  }
}
