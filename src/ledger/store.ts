import { StateError } from '../core/errors.ts';
import { wellFormed } from '../core/json.ts';
import type { Layout } from '../core/layout.ts';
import type { Receipt, ReceiptDraft } from '../core/receipt.ts';
import type { TraceDraft, TraceRecord } from '../core/trace-record.ts';
import { monotonicMs, newUuid, nowIso, nowIsoSeconds, randomHex } from '../platform/clock.ts';
import { createFile } from '../platform/durable-files.ts';
import { isDirectory, readIfThere } from '../platform/files.ts';
import { GroupCommit } from './group-commit.ts';
import { Ingest } from './ingest.ts';
import { LogFile, type TornTail } from './log-file.ts';
import type { News } from './news.ts';
import { agentTraceOf, recoveryOf, settledOf } from './own-records.ts';
import type { Outcome, Reading, Storage, Writing } from './port.ts';
import type { ProvenanceIndex } from './provenance/port.ts';
import { openStorage } from './sqlite/storage.ts';
import { withoutSecrets } from './without-secrets.ts';

/** What a transaction may do: read and write the state tables, and append to both logs. */
export interface Tx extends Reading, Writing {
  /** Appends a receipt; durable when the transaction returns. */
  receipt(draft: ReceiptDraft): Receipt;
  /** Appends a ledger record; durable when the transaction returns. */
  trace(draft: TraceDraft): TraceRecord;
}

export interface StoreOptions {
  /** Longest wait for other processes, in milliseconds: of each transaction, or of all of a `oneShot` store together. */
  readonly busyMs: number;
  /**
   * The process judges one event and ends: its waits share one deadline, and closing is left to its end, which spares
   * the checkpoint that closing would make.
   */
  readonly oneShot?: boolean;
  /** The store is shared by many events of a process that stays: disposing of it does nothing, {@link Store.close} does. */
  readonly resident?: boolean;
  /** The longest log, in bytes, that is read from its beginning when it is not as it was left; any when absent. */
  readonly readLimit?: number;
  /** Hears of each transaction that is durable; what it throws is its own affair. */
  readonly told?: (news: readonly News[]) => void;
}

/** `receipt-<writer>-<seq>`: unique, ordered, and needs no index of its own. */
function receiptId(writer: string, seq: number): string {
  return `receipt-${writer.slice(0, 12)}-${seq}`;
}

/** What every transaction of a store begins and ends with. */
class Ledger implements Disposable {
  readonly #receipts: LogFile;
  readonly #trace: LogFile;
  readonly #ingest: Ingest;
  readonly #tx: Tx;
  #news: News[] = [];
  readonly #openedMs = monotonicMs();
  readonly #group = new GroupCommit((works) => this.#transactAll(works));

  constructor(
    readonly layout: Layout,
    readonly writer: string,
    private readonly storage: Storage,
    private readonly options: StoreOptions,
  ) {
    const { tables } = storage;
    this.#receipts = new LogFile('receipts', layout.receipts, tables);
    this.#trace = new LogFile('trace', layout.trace, tables);
    this.#ingest = new Ingest(tables);
    this.#tx = {
      ...tables,
      receipt: (draft) => this.#receipt(draft),
      trace: (draft) => this.#record(draft),
      putSession: (row) => {
        const before = options.told ? tables.session(row.id).state : row.state;
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

  /** The index that the ledger layer derives from the trace. */
  get index(): ProvenanceIndex {
    return this.storage.index;
  }

  /**
   * Runs `work` under the workspace's write lock. INVARIANT (durable before visible): the logs are fsynced before
   * the storage commits, and both before this returns. If anything throws, nothing of it is acknowledged.
   */
  transact<T>(work: (tx: Tx) => T): T {
    this.#news = [];
    try {
      const done = this.storage.transact(this.#waitMs(), () => {
        this.#catchUp();
        const result = work(this.#tx);
        this.#trace.flush();
        this.#receipts.flush();
        return result;
      });
      if (this.#news.length > 0) this.options.told?.(this.#news);
      return done;
    } finally {
      this.#news = [];
    }
  }

  /**
   * As {@link transact}. A resident store gathers what comes in meanwhile into one durable append (group commit); each
   * part is undone for itself when it throws, and none is acknowledged before all are on disk.
   */
  commit<T>(work: (tx: Tx) => T): Promise<T> {
    if (this.options.resident) return this.#group.add(() => work(this.#tx));
    return new Promise((resolve) => {
      resolve(this.transact(work));
    });
  }

  #transactAll(works: readonly (() => unknown)[]): Outcome[] {
    return this.transact(() =>
      works.map((work) => {
        const undo = [this.#receipts.checkpoint(), this.#trace.checkpoint()];
        const heard = this.#news.length;
        const outcome = this.storage.part(work);
        if ('error' in outcome) {
          for (const one of undo) one();
          this.#news.length = heard;
        }
        return outcome;
      }),
    );
  }

  #waitMs(): number {
    const { busyMs, oneShot } = this.options;
    return oneShot ? Math.max(0, busyMs - (monotonicMs() - this.#openedMs)) : busyMs;
  }

  /** Whether the files that this store works on are still the workspace's own. */
  isCurrent(): boolean {
    return this.storage.isCurrent();
  }

  /** Does what no event needs to wait for. */
  carryOver(): void {
    this.storage.carryOver();
  }

  close(): void {
    this.storage.close();
  }

  /**
   * Runs `work` on the state as it is and undoes everything it did, appends included. Only what a dead process
   * left behind is tidied up first, since that is due in any case.
   */
  rehearse<T>(work: (tx: Tx) => T): T {
    this.transact(() => undefined);
    const rehearsed = () => {
      this.#catchUp();
      return work(this.#tx);
    };
    try {
      return this.storage.transact(this.#waitMs(), rehearsed, false);
    } finally {
      this.#news = [];
    }
  }

  /** Runs `work`, which only reads, on the state of one moment, without the lock. */
  look<T>(work: () => T): T {
    return this.storage.look(work);
  }

  /**
   * Whether the state is that of both logs as they are now, so that it can be read without the lock. False also if
   * that cannot be found out.
   */
  isUpToDate(): boolean {
    try {
      return this.#receipts.isAsLeft() && this.#trace.isAsLeft();
    } catch {
      return false;
    }
  }

  #catchUp(): void {
    const tails: TornTail[] = [];
    const { quarantine } = this.layout;
    const limit = this.options.readLimit ?? Number.POSITIVE_INFINITY;
    const receipts = this.#receipts.catchUp(
      quarantine,
      limit,
      () => this.storage.tables.forget('receipts'),
      (record) => this.#ingest.receipt(record as unknown as Receipt),
    );
    if (receipts) tails.push(receipts);
    const trace = this.#trace.catchUp(
      quarantine,
      limit,
      () => this.storage.tables.forget('trace'),
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
    if (this.options.told) this.#news.push({ receipt });
    return receipt;
  }

  #record(draft: TraceDraft): TraceRecord {
    const stamped = { ...wellFormed(draft), id: newUuid(), timestamp: nowIso() };
    const { record, offset } = this.#trace.queue({ ...agentTraceOf(stamped), ...stamped }, this.writer);
    const entry = record as unknown as TraceRecord;
    this.#ingest.trace(entry, offset);
    return entry;
  }

  [Symbol.dispose](): void {
    if (!this.options.oneShot && !this.options.resident) this.close();
  }
}

/**
 * The state of one workspace: both logs and their view. There is one way to change it, {@link Ledger.transact}, and it
 * returns only when everything it appended is on disk.
 */
export type Store = Ledger & Reading;

export const Store = {
  /**
   * Opens a workspace's state. A database that is missing or damaged is made anew from the logs; a missing
   * sidecar, log or writer id throws a StateError, which every door answers with the fail-safe refusal.
   */
  open(layout: Layout, options: StoreOptions): Store {
    if (!isDirectory(layout.sidecar))
      throw new StateError(
        'orchestration state missing',
        { file: layout.sidecar },
        'Restore the folder, or run `pactclaw init` in the workspace.',
      );
    const stay = options.oneShot ? 'oneShot' : options.resident ? 'resident' : null;
    const storage = openStorage(layout, options.busyMs, stay);
    const reading: Reading = storage.tables;
    return Object.assign(new Ledger(layout, writerOf(layout), storage, options), reading);
  },
};

/** This clone's writer id. A fresh clone has none and gets its own, with a chain of its own. */
function writerOf(layout: Layout): string {
  createFile(layout.writer, `${randomHex(16)}\n`);
  const writer = readIfThere(layout.writer)?.toString('latin1').trim() ?? '';
  if (/^[0-9a-f]{16,64}$/.test(writer)) return writer;
  throw new StateError(
    'the writer id is damaged',
    { file: layout.writer },
    'Delete the file; a new one is made and a new chain begins.',
  );
}
