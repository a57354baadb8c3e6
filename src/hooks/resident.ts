import { monotonicMs } from '../platform/clock.ts';
import { every, type Timer } from '../platform/timers.ts';
import { Proofs } from './command/proofs.ts';
import { createEngine, type HookEngine } from './engine.ts';
import { HeldStore } from './open-store.ts';
import { type Workspace, workspaceAt } from './workspace.ts';

/** Stores of workspaces that were quiet for this long are closed. */
const QUIET_MS = 120_000;
const TIDY_MS = 10_000;

interface Open {
  readonly held: HeldStore;
  readonly proofs: Proofs;
  usedAt: number;
}

/** What a resident process holds open. */
export interface Residence {
  readonly workspaces: number;
  readonly open: number;
}

/**
 * Engines of many workspaces in one process (docs/resident-engine.md). Between events only the open database is
 * kept: every event reads the human's files and the state as a process of its own would.
 */
export class ResidentEngines {
  readonly #open = new Map<string, Open>();
  #tidying: Timer | null = null;

  constructor(
    private readonly install: string,
    private readonly bounds: Omit<Workspace, 'layout' | 'ground' | 'store'>,
  ) {}

  /** The engine for the workspace at a folder. Throws a StateError as {@link workspaceAt} does. */
  engineAt(folder: string): HookEngine {
    return this.enter(folder).engine;
  }

  /** The same, with the workspace's real folder and what to call when its work is done for now. */
  enter(folder: string): { readonly engine: HookEngine; readonly root: string; readonly rest: () => void } {
    const workspace = workspaceAt(folder, this.install, this.bounds);
    const { root } = workspace.layout;
    const engine = createEngine({
      ...workspace,
      store: () => this.#opened(workspace).held.current(),
      proofs: () => this.#opened(workspace).proofs,
    });
    return { engine, root, rest: () => this.#open.get(root)?.held.tidy() };
  }

  #opened(workspace: Workspace): Open {
    this.#tidying ??= every(TIDY_MS, () => this.#tidy());
    const key = workspace.layout.root;
    const known = this.#open.get(key) ?? this.#openNow(workspace);
    known.usedAt = monotonicMs();
    this.#open.set(key, known);
    return known;
  }

  #openNow(workspace: Workspace): Open {
    const held = new HeldStore(workspace);
    // Without proofs of its own: what is owed a walk is settled by a walk.
    const proofs = new Proofs({ ...workspace, store: () => held.current() });
    return { held, proofs, usedAt: 0 };
  }

  /** Runs maintenance between events and closes stores that were not used for a while. */
  #tidy(): void {
    for (const [key, { held, proofs, usedAt }] of this.#open) {
      held.tidy();
      if (monotonicMs() - usedAt <= QUIET_MS) continue;
      proofs.close();
      held.close();
      this.#open.delete(key);
    }
  }

  get residence(): Residence {
    const open = [...this.#open.values()].filter(({ held }) => held.isOpen).length;
    return { workspaces: this.#open.size, open };
  }

  /** Looks at what is owed a walk, before the process ends. */
  async prove(): Promise<void> {
    await Promise.all([...this.#open.values()].map(({ proofs }) => proofs.prove()));
  }

  close(): void {
    this.#tidying?.cancel();
    for (const { held, proofs } of this.#open.values()) {
      proofs.close();
      held.close();
    }
    this.#open.clear();
  }
}
