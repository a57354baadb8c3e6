import type { Store } from '../../ledger/store.ts';
import { afterAtLeast, type Timer } from '../../platform/timers.ts';
import { Snapshots } from '../../security/snapshot.ts';
import { WarmTree } from '../../security/warm-tree.ts';
import { openStore } from '../open-store.ts';
import type { Owed, ProofKeeper, Workspace } from '../workspace.ts';
import { INDEX_SEAL } from './index-seal.ts';

/** How long after a call its proof begins, in milliseconds: a call that follows at once need not wait for it. */
const DELAY_MS = 200;

/**
 * Calls of one workspace that were answered because the watch had reported no change. Soon after, every file is looked at
 * all the same: what changed without a report is judged, undone and recorded as theirs.
 */
export class Proofs implements ProofKeeper {
  readonly tree: WarmTree;
  #owed: Owed[] = [];
  #timer: Timer | null = null;
  #proving: Promise<void> = Promise.resolve();

  constructor(private readonly workspace: Workspace) {
    this.tree = new WarmTree(workspace.layout);
  }

  owe(call: Owed): void {
    this.#owed.push(call);
    this.#timer ??= afterAtLeast(DELAY_MS, () => void this.prove());
  }

  /** Looks at every file now, if a call is owed it. Never rejects. */
  prove(): Promise<void> {
    this.#timer?.cancel();
    this.#timer = null;
    const owed = this.#owed;
    this.#owed = [];
    if (owed.length > 0) this.#proving = this.#proving.then(() => this.#prove(owed));
    return this.#proving;
  }

  async #prove(owed: readonly Owed[]): Promise<void> {
    try {
      using store = openStore(this.workspace);
      const unreported = await this.#unreported(store);
      if (unreported === null || unreported.size > 0) await this.#settle(store, owed, unreported);
    } catch {
      // The state cannot be used: the next event meets the fail-safe.
    }
  }

  /** Paths that changed without a report; null when that could not be found out. */
  async #unreported(store: Store): Promise<ReadonlySet<string> | null> {
    const { layout, snapshotMs } = this.workspace;
    const known = store.note(INDEX_SEAL);
    const snapshots = new Snapshots(layout, snapshotMs, known);
    try {
      const paths = await this.tree.prove(snapshots);
      if (snapshots.seal !== known) store.transact((tx) => tx.putNote(INDEX_SEAL, snapshots.seal ?? ''));
      return paths;
    } catch {
      this.tree.close();
      return null;
    }
  }

  /** Ends the calls once more: these paths changed while they ran, or, where it is not known which did, any may have. */
  async #settle(store: Store, owed: readonly Owed[], among: ReadonlySet<string> | null): Promise<void> {
    const { governingImages } = await import('./vault.ts');
    const { settleCall } = await import('../outcome/settle-call.ts');
    for (const { request, pending } of owed) {
      const { sessionId, call } = request;
      // The governing files were compared at the end of the call, without the watch.
      const images = governingImages(this.workspace);
      store.transact((tx) => {
        tx.putCall(sessionId, call.callId, pending);
        for (const image of images) tx.putPreimage(sessionId, call.callId, image);
      });
      const told = among === null ? request : { ...request, among };
      await settleCall(this.workspace, store, told, true);
      store.transact((tx) => tx.endCall(sessionId, call.callId));
    }
  }

  close(): void {
    this.#timer?.cancel();
    this.tree.close();
  }
}
