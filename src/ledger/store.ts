import { StateError } from '../core/errors.ts';
import type { Layout } from '../core/layout.ts';
import { monotonicMs } from '../platform/clock.ts';
import { isDirectory } from '../platform/files.ts';
import { oneMoment } from '../platform/moment.ts';
import { BothLogs, type Tx } from './both-logs.ts';
import { GroupCommit } from './group-commit.ts';
import type { News } from './news.ts';
import type { Outcome, Reading, Storage } from './port.ts';
import type { ProvenanceIndex } from './provenance/port.ts';
import { openStorage } from './sqlite/storage.ts';
import { writerOf } from './writer.ts';

export type { Tx };

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

/** What every transaction of a store begins and ends with. */
class Ledger implements Disposable {
  readonly #logs: BothLogs;
  readonly #openedMs = monotonicMs();
  readonly #group = new GroupCommit((works) => this.#transactAll(works));

  constructor(
    readonly layout: Layout,
    readonly writer: string,
    private readonly storage: Storage,
    private readonly options: StoreOptions,
  ) {
    this.#logs = new BothLogs(layout, writer, storage.tables, options.told !== undefined);
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
    try {
      const done = this.storage.transact(this.#waitMs(), () =>
        oneMoment(() => {
          this.#catchUp();
          const result = work(this.#logs.tx);
          this.#logs.flush();
          return result;
        }),
      );
      const news = this.#logs.takeNews();
      if (news.length > 0) this.options.told?.(news);
      return done;
    } finally {
      this.#logs.takeNews();
    }
  }

  /**
   * As {@link transact}. A resident store gathers what comes in meanwhile into one durable append (group commit); each
   * part is undone for itself when it throws, and none is acknowledged before all are on disk.
   */
  commit<T>(work: (tx: Tx) => T): Promise<T> {
    if (this.options.resident) return this.#group.add(() => work(this.#logs.tx));
    return new Promise((resolve) => {
      resolve(this.transact(work));
    });
  }

  #transactAll(works: readonly (() => unknown)[]): Outcome[] {
    const [only, ...more] = works;
    if (only && more.length === 0) return [{ value: this.transact(only) }];
    return this.transact(() =>
      works.map((work) => {
        const undo = this.#logs.checkpoint();
        const outcome = this.storage.part(work);
        if ('error' in outcome) undo();
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
      return work(this.#logs.tx);
    };
    try {
      return this.storage.transact(this.#waitMs(), rehearsed, false);
    } finally {
      this.#logs.takeNews();
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
      return this.#logs.isAsLeft();
    } catch {
      return false;
    }
  }

  #catchUp(): void {
    this.#logs.catchUp(this.options.readLimit ?? Number.POSITIVE_INFINITY);
  }

  [Symbol.dispose](): void {
    if (this.options.oneShot) this.storage.leave();
    else if (!this.options.resident) this.close();
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
