import { Store } from '../ledger/store.ts';
import type { Workspace } from './workspace.ts';

/** The workspace's state for one event: the one that its process keeps open, if it keeps one. */
export function openStore(workspace: Workspace): Store {
  return workspace.store?.() ?? Store.open(workspace.layout, workspace);
}

/** A store that stays open between events, or for all that one event does, and is opened anew when its files are no longer the workspace's. */
export class HeldStore {
  #store: Store | null = null;

  constructor(private readonly workspace: Workspace) {}

  current(): Store {
    if (this.#store?.isCurrent()) return this.#store;
    // The file was deleted or replaced, so the open handle is no longer the workspace's state.
    this.close();
    this.#store = Store.open(this.workspace.layout, {
      ...this.workspace,
      resident: !this.workspace.oneShot,
    });
    return this.#store;
  }

  /** Maintenance outside of events. If it fails, the next event opens the database again. */
  tidy(): void {
    try {
      this.#store?.carryOver();
    } catch {
      this.close();
    }
  }

  get isOpen(): boolean {
    return this.#store !== null;
  }

  close(): void {
    this.#store?.close();
    this.#store = null;
  }
}
