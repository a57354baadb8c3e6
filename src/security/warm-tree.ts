import { GIT_NAME } from '../core/footprints/git.ts';
import type { Layout } from '../core/layout.ts';
import { SIDECAR } from '../core/words.ts';
import { markOfAny } from '../platform/file-mark.ts';
import { homeFolder } from '../platform/home.ts';
import { after } from '../platform/timers.ts';
import { TreeWatch } from '../platform/tree-watch.ts';
import { OBEYED_FOLDERS } from './protected.ts';
import { toSeal } from './seal.ts';
import type { Snapshots } from './snapshot.ts';

/** A snapshot that was taken while the whole tree was watched, and where the watch stood when its walk began. */
interface Base {
  readonly seal: string;
  readonly count: number;
  readonly ignores: string;
}

/** Git's ignore file of the user, which decides what a snapshot sees. */
function ignoresOf(): string {
  return markOfAny(`${homeFolder()}/.config/git/ignore`);
}

/** A folder that hosts obey is in snapshots even where git ignores it, and so are the folders above it. */
function isObeyed(folder: string): boolean {
  return OBEYED_FOLDERS.some(
    (one) => `${one}/`.startsWith(`${folder}/`) || `${folder}/`.startsWith(`${one}/`),
  );
}

function isExplained(path: string, touched: ReadonlySet<string>): boolean {
  for (let at = path.length; at > 0; at = path.lastIndexOf('/', at - 1))
    if (touched.has(path.slice(0, at))) return true;
  return false;
}

/**
 * Spares snapshots their walk while a watch on the tree says that nothing has changed since the last one. The watch has
 * gaps (docs/resident-engine.md), so that what rests on its word is owed a walk: {@link WarmTree.prove}.
 */
export class WarmTree {
  #watch: TreeWatch | null = null;
  readonly #skipped = new Set<string>();
  #base: Base | null = null;
  /** What the watch reported since the base. */
  readonly #touched = new Set<string>();
  /** Paths that a walk found changed without any report. */
  readonly #unreported = new Set<string>();

  constructor(private readonly layout: Layout) {}

  /** The tree as it is now. `vouched`: the watch says that it is as before, nobody has looked. */
  async take(snapshots: Snapshots, begins: boolean): Promise<{ tree: string; vouched: boolean }> {
    const watch = this.#watch;
    const settled = (await watch?.settle()) ?? false;
    const latest = snapshots.latest(begins);
    if (settled && latest !== null && this.#isQuiet(snapshots.seal)) return { tree: latest, vouched: true };
    return { tree: this.#walk(snapshots, begins, settled), vouched: false };
  }

  #isQuiet(seal: string | null): boolean {
    const base = this.#base;
    return (
      base !== null && base.seal === seal && base.count === this.#watch?.count && base.ignores === ignoresOf()
    );
  }

  #walk(snapshots: Snapshots, begins: boolean, settled: boolean): string {
    const watch = this.#watch;
    const armed = settled && (watch?.arm() ?? false);
    const [count, ignores, before] = [watch?.count ?? 0, ignoresOf(), toSeal(this.#base?.seal ?? null)];
    const tree = snapshots.take(begins);
    const { ignored, seal } = snapshots;
    if (before)
      for (const { path } of snapshots.changes(before.tree, tree))
        if (!isExplained(path, this.#touched)) this.#unreported.add(path);
    this.#touched.clear();
    const covers = ignored !== null && this.#follow(ignored);
    this.#base = armed && covers && seal !== null ? { seal, count, ignores } : null;
    return tree;
  }

  /** Watches what git no longer ignores. Returns true when nothing that the walk looked into was left out. */
  #follow(ignored: readonly string[]): boolean {
    const wanted = new Set(ignored.filter((folder) => !isObeyed(folder)));
    const missed = [...this.#skipped].filter((folder) => !wanted.has(folder));
    for (const folder of missed) {
      this.#skipped.delete(folder);
      this.#watch?.reread(folder);
    }
    for (const folder of wanted) {
      this.#skipped.add(folder);
      this.#watch?.forget(folder);
    }
    if (this.#watch === null) this.#begin();
    return missed.length === 0;
  }

  #begin(): void {
    const skips = (folder: string) => this.#skipped.has(folder) || folder === GIT_NAME || folder === SIDECAR;
    const fence = `${this.layout.shadow}/fence`;
    const watch = new TreeWatch(this.layout.root, fence, skips, (path) => this.#touched.add(path));
    this.#watch = watch;
    // The call that comes first need not wait for it.
    after(0, () => void watch.arm());
  }

  /**
   * Looks at every file, as a walk does, and compares with what was reported. Returns the paths that changed without a
   * report since the last call of this method; mostly none.
   */
  async prove(snapshots: Snapshots): Promise<ReadonlySet<string>> {
    if (this.#base?.seal === snapshots.seal) {
      const names = await snapshots.changedLater();
      await this.#watch?.settle();
      const isTold = names?.every((name) => isExplained(name.toString(), this.#touched)) ?? false;
      if (!isTold) await this.#walkAnyway(snapshots);
    } else await this.#walkAnyway(snapshots);
    const found = new Set(this.#unreported);
    this.#unreported.clear();
    return found;
  }

  async #walkAnyway(snapshots: Snapshots): Promise<void> {
    this.#walk(snapshots, false, (await this.#watch?.settle()) ?? false);
  }

  close(): void {
    this.#watch?.close();
    this.#watch = null;
    this.#base = null;
  }
}
