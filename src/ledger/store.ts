import { StateError } from '../core/errors.ts';
import { wellFormed } from '../core/json.ts';
import type { Layout } from '../core/layout.ts';
import type { Receipt, ReceiptDraft } from '../core/receipt.ts';
import type { TraceDraft, TraceRecord } from '../core/trace-record.ts';
import { monotonicMs, newUuid, nowIso, nowIsoSeconds, randomHex } from '../platform/clock.ts';
import { createFile } from '../platform/durable-files.ts';
import { isDirectory, readIfThere } from '../platform/files.ts';
import { beginImmediate, type Db } from '../platform/sqlite.ts';
import { GroupCommit, type Outcome } from './group-commit.ts';
import { Ingest } from './ingest.ts';
import { LogFile, type TornTail } from './log-file.ts';
import type { News } from './news.ts';
import { inodeOf, isDamage, openState, setStateAside } from './open-state.ts';
import { agentTraceOf, recoveryOf, settledOf } from './own-records.ts';
import type { SessionRow } from './session-tables.ts';
import { StateTables } from './state-tables.ts';
import { withoutSecrets } from './without-secrets.ts';

/** What a transaction may do: read and write the state tables, and append to both logs. */
export interface Tx extends StateTables {
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

/**
 * The state of one workspace: both logs and their view. There is one way to change it, {@link Store.transact},
 * and it returns only when everything it appended is on disk.
 */
export class Store extends StateTables implements Disposable {
  readonly #receipts: LogFile;
  readonly #trace: LogFile;
  readonly #ingest: Ingest;
  readonly #inode: string | null;
  #news: News[] = [];
  readonly #openedMs = monotonicMs();
  readonly #group = new GroupCommit((works) => this.#transactAll(works));

  private constructor(
    readonly layout: Layout,
    db: Db,
    readonly writer: string,
    private readonly options: StoreOptions,
  ) {
    super(db);
    this.#inode = inodeOf(layout.state);
    this.#receipts = new LogFile('receipts', layout.receipts, db);
    this.#trace = new LogFile('trace', layout.trace, db);
    this.#ingest = new Ingest(db);
  }

  /**
   * Opens a workspace's state. A database that is missing or damaged is made anew from the logs; a missing
   * sidecar, log or writer id throws a StateError, which every door answers with the fail-safe refusal.
   * `busyMs` bounds the wait for other processes.
   */
  static open(layout: Layout, options: StoreOptions): Store {
    if (!isDirectory(layout.sidecar))
      throw new StateError(
        'orchestration state missing',
        { file: layout.sidecar },
        'Restore the folder, or run `pactclaw init` in the workspace.',
      );
    const stay = options.oneShot ? 'oneShot' : options.resident ? 'resident' : null;
    return new Store(layout, openState(layout, options.busyMs, stay), writerOf(layout), options);
  }

  /**
   * Runs `work` under the workspace's write lock. INVARIANT (durable before visible): the logs are fsynced before
   * the database commits, and both before this returns. If anything throws, nothing of it is acknowledged.
   */
  transact<T>(work: (tx: Tx) => T): T {
    beginImmediate(this.db, this.#waitMs());
    try {
      this.#catchUp();
      const result = work(this);
      this.#trace.flush();
      this.#receipts.flush();
      this.db.exec('COMMIT');
      if (this.#news.length > 0) this.options.told?.(this.#news);
      return result;
    } catch (error) {
      if (this.db.inTransaction) this.db.exec('ROLLBACK');
      throw isDamage(error) ? this.#setAside(error) : error;
    } finally {
      this.#news = [];
    }
  }

  /**
   * As {@link transact}. A resident store gathers what comes in meanwhile into one durable append (group commit); each
   * part is undone for itself when it throws, and none is acknowledged before all are on disk.
   */
  commit<T>(work: (tx: Tx) => T): Promise<T> {
    if (this.options.resident) return this.#group.add(() => work(this));
    return new Promise((resolve) => {
      resolve(this.transact(work));
    });
  }

  #transactAll(works: readonly (() => unknown)[]): Outcome[] {
    return this.transact(() =>
      works.map((work) => {
        const undo = [this.#receipts.checkpoint(), this.#trace.checkpoint()];
        const heard = this.#news.length;
        this.prepared('SAVEPOINT part').run();
        try {
          return { value: work() };
        } catch (error) {
          if (isDamage(error) || !this.db.inTransaction) throw error;
          this.prepared('ROLLBACK TO part').run();
          for (const one of undo) one();
          this.#news.length = heard;
          return { error };
        } finally {
          if (this.db.inTransaction) this.prepared('RELEASE part').run();
        }
      }),
    );
  }

  #waitMs(): number {
    const { busyMs, oneShot } = this.options;
    return oneShot ? Math.max(0, busyMs - (monotonicMs() - this.#openedMs)) : busyMs;
  }

  /** Whether the files that this store works on are still the workspace's own. */
  isCurrent(): boolean {
    // The database is in the sidecar: where it is found, the folder is there too.
    return this.db.open && this.#inode !== null && inodeOf(this.layout.state) === this.#inode;
  }

  /** Carries what the write-ahead log has gathered over into the database, while no event waits for it. */
  carryOver(): void {
    this.db.pragma('wal_checkpoint(PASSIVE)');
  }

  close(): void {
    this.db.close();
  }

  /** A page beyond the first is damaged: the next one to open the state makes it anew from the logs. */
  #setAside(cause: unknown): StateError {
    this.db.close();
    setStateAside(this.layout, this.#inode);
    return new StateError(
      'state.db was damaged and has been set aside',
      { file: this.layout.state },
      'Try again: it is made anew from the logs.',
      { cause },
    );
  }

  /**
   * Runs `work` on the state as it is and undoes everything it did, appends included. Only what a dead process
   * left behind is tidied up first, since that is due in any case.
   */
  rehearse<T>(work: (tx: Tx) => T): T {
    this.transact(() => undefined);
    beginImmediate(this.db, this.#waitMs());
    try {
      this.#catchUp();
      return work(this);
    } finally {
      this.#news = [];
      if (this.db.inTransaction) this.db.exec('ROLLBACK');
    }
  }

  /** Runs `work`, which only reads, on the state of one moment, without the lock. */
  look<T>(work: () => T): T {
    this.prepared('BEGIN').run();
    try {
      return work();
    } finally {
      this.prepared('COMMIT').run();
    }
  }

  /**
   * Whether the state is that of both logs as they are now, so that it can be read without the lock. What cannot be
   * told is no.
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
      () => this.forgetReceipts(),
      (record) => this.#ingest.receipt(record as unknown as Receipt),
    );
    if (receipts) tails.push(receipts);
    const trace = this.#trace.catchUp(
      quarantine,
      limit,
      () => this.forgetTrace(),
      (record, place) => this.#ingest.trace(record as unknown as TraceRecord, place.offset),
    );
    if (trace) tails.push(trace);
    for (const tail of tails) this.receipt(recoveryOf(tail));
  }

  receipt(draft: ReceiptDraft): Receipt {
    const id = receiptId(this.writer, this.#receipts.nextSeq(this.writer));
    const stamped = { ...withoutSecrets(wellFormed(draft)), id, timestamp: nowIsoSeconds() };
    const { record } = this.#receipts.queue(stamped, this.writer);
    const receipt = record as unknown as Receipt;
    this.#ingest.receipt(receipt);
    if (this.options.told) this.#news.push({ receipt });
    return receipt;
  }

  override putSession(row: SessionRow): void {
    const before = this.options.told ? this.session(row.id).state : row.state;
    super.putSession(row);
    if (before !== row.state) this.#news.push({ session: row.id, from: before, to: row.state });
  }

  trace(draft: TraceDraft): TraceRecord {
    const stamped = { ...wellFormed(draft), id: newUuid(), timestamp: nowIso() };
    const { record, offset } = this.#trace.queue({ ...agentTraceOf(stamped), ...stamped }, this.writer);
    const entry = record as unknown as TraceRecord;
    this.#ingest.trace(entry, offset);
    return entry;
  }

  /** The database, for indexes that the ledger layer derives from the logs. */
  get index(): Db {
    return this.db;
  }

  /**
   * A trip that has reached the human's file leaves a receipt. Without it a rebuild could not tell a human's reset
   * from a trip whose process died before it wrote the file, and would open a new budget window (H-91).
   */
  override markTrip(intentId: string, written: boolean): void {
    super.markTrip(intentId, written);
    if (written) this.receipt(settledOf(intentId));
  }

  [Symbol.dispose](): void {
    if (!this.options.oneShot && !this.options.resident) this.db.close();
  }
}

/** This clone's writer id. A fresh clone has none and gets its own: its chain begins anew (architecture §4). */
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
