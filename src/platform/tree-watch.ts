import fs from 'node:fs';
import { errnoOf } from './files.ts';
import { afterAtLeast } from './timers.ts';

/**
 * Types of file systems (statfs) whose every write passes this kernel, so that inotify tells of it: ext4, XFS, Btrfs,
 * tmpfs, ZFS, F2FS, bcachefs and overlayfs. On others (NFS, SMB, 9p, FUSE …) another machine can write unseen.
 */
const LOCAL: ReadonlySet<number> = new Set([
  0xef53, 0x58465342, 0x9123683e, 0x01021994, 0x2fc12fc1, 0xf2f52010, 0xca451a4e, 0x794c7630,
]);
/** Most folders that are watched; each costs the user one of `fs.inotify.max_user_watches`. */
const MAX_FOLDERS = 20_000;
/** How long an event may be on its way, in milliseconds. */
const FENCE_MS = 500;

interface Folder {
  readonly watcher: fs.FSWatcher;
  readonly inode: number;
}

/** A change that the system told of: a name in a folder; null where it did not say which. */
type Names = Set<string> | null;

function pathIn(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}

/**
 * Watches the folders of a tree with inotify, and says whether anything was reported since. It says nothing of its own
 * gaps: writes through a memory map or through another name of a file (a hard link) are reported by no system, and Node
 * drops the report of an overflow. Whoever relies on it must also look at the files themselves, if later.
 */
export class TreeWatch {
  readonly #folders = new Map<string, Folder>();
  /** Folders that must be read again, with the names in them that were reported. */
  readonly #stale = new Map<string, Names>([['', null]]);
  readonly #waiting = new Map<string, () => void>();
  #fenceWatch: fs.FSWatcher | null = null;
  #fences = 0;
  #device: number | null = null;
  #broken = false;
  /** How many changes were reported so far. */
  count = 0;

  /**
   * `fence`: a folder of the caller's own outside of what is watched. `skips` says which folders, relative to the root,
   * are not watched.
   */
  constructor(
    private readonly root: string,
    private readonly fence: string,
    private readonly skips: (folder: string) => boolean,
    private readonly told: (path: string) => void,
  ) {}

  /** True where this tree cannot be watched: another system, a network file system, too many folders. */
  get isBroken(): boolean {
    return this.#broken;
  }

  /**
   * Watches what is not watched yet: everything at first, later the folders that were reported. Returns true when every
   * folder of the tree is watched. A folder is read only after it is watched, so that nothing made in between is missed.
   */
  arm(): boolean {
    if (this.#broken) return false;
    try {
      this.#begin();
      for (let [next] = this.#stale; next; [next] = this.#stale) {
        this.#stale.delete(next[0]);
        this.#scanIfThere(...next);
      }
      return true;
    } catch {
      this.close();
      return false;
    }
  }

  #begin(): void {
    if (this.#device !== null) return;
    if (process.platform !== 'linux' || !LOCAL.has(fs.statfsSync(this.root).type >>> 0))
      throw new Error('changes here are not all reported');
    this.#device = fs.lstatSync(this.root).dev;
    fs.mkdirSync(this.fence, { recursive: true, mode: 0o700 });
    this.#fenceWatch = this.#watch(this.fence, (name) => {
      const reached = this.#waiting.get(name ?? '');
      this.#waiting.delete(name ?? '');
      reached?.();
    });
  }

  #watch(folder: string, told: (name: string | null) => void): fs.FSWatcher {
    const watcher = fs.watch(folder, { persistent: false }, (_event, name) => told(name));
    watcher.on('error', () => this.close());
    return watcher;
  }

  #scanIfThere(folder: string, names: Names): void {
    try {
      this.#scan(folder, names);
    } catch (error) {
      const code = errnoOf(error);
      if (folder === '' || (code !== 'ENOENT' && code !== 'ENOTDIR')) throw error;
      // It went away just now, which its own folder reports.
      this.forget(folder);
    }
  }

  #scan(folder: string, names: Names): void {
    const place = `${this.root}/${folder}`;
    const stat = fs.lstatSync(place, { throwIfNoEntry: false });
    const known = this.#folders.get(folder);
    if (!stat?.isDirectory() || (known && known.inode !== stat.ino)) this.forget(folder);
    if (!stat?.isDirectory()) {
      if (folder === '') throw new Error('the tree is gone');
      return;
    }
    if (stat.dev !== this.#device) throw new Error('another file system begins here');
    if (!this.#folders.has(folder)) {
      if (this.#folders.size >= MAX_FOLDERS) throw new Error('too many folders');
      const watcher = this.#watch(place, (name) => this.#changed(folder, name));
      this.#folders.set(folder, { watcher, inode: stat.ino });
    }
    // A folder that was reported may be another one by now, even under a known inode: it is watched anew.
    for (const name of names ?? []) this.forget(pathIn(folder, name));
    for (const entry of fs.readdirSync(place, { withFileTypes: true })) {
      const path = pathIn(folder, entry.name);
      if (this.skips(path)) continue;
      if (entry.name === '.git' && !entry.isDirectory()) throw new Error('its repository lies elsewhere');
      if (entry.name.includes('\uFFFD')) throw new Error('a name is no text');
      if (entry.isDirectory() && (names === null || !this.#folders.has(path))) this.#stale.set(path, null);
    }
  }

  #changed(folder: string, name: string | null): void {
    this.count += 1;
    const before = this.#stale.get(folder);
    if (name === null) this.#stale.set(folder, null);
    else if (before === undefined) this.#stale.set(folder, new Set([name]));
    else before?.add(name);
    this.told(name === null ? folder : pathIn(folder, name));
  }

  /** Stops watching a folder and all below it. */
  forget(folder: string): void {
    if (!this.#folders.has(folder)) return;
    const below = `${folder}/`;
    for (const [path, { watcher }] of this.#folders) {
      if (path !== folder && !path.startsWith(below)) continue;
      watcher.close();
      this.#folders.delete(path);
      this.#stale.delete(path);
    }
  }

  /** Reads again what lies below a folder, which was skipped until now. */
  reread(folder: string): void {
    this.#stale.set(folder.slice(0, Math.max(0, folder.lastIndexOf('/'))), null);
  }

  /**
   * Resolves with true when everything reported until now has arrived: reports keep their order, so that of a file written
   * now comes last. False when it does not come.
   */
  settle(): Promise<boolean> {
    if (this.#broken || this.#fenceWatch === null) return Promise.resolve(false);
    this.#fences += 1;
    const name = String(this.#fences);
    const file = `${this.fence}/${name}`;
    return new Promise((resolve) => {
      const end = (arrived: boolean) => {
        timer.cancel();
        this.#waiting.delete(name);
        fs.rmSync(file, { force: true });
        resolve(arrived && !this.#broken);
      };
      const timer = afterAtLeast(FENCE_MS, () => end(false));
      this.#waiting.set(name, () => end(true));
      try {
        fs.writeFileSync(file, '', { flag: 'wx', mode: 0o600 });
      } catch {
        end(false);
      }
    });
  }

  close(): void {
    this.#broken = true;
    this.#fenceWatch?.close();
    for (const { watcher } of this.#folders.values()) watcher.close();
    this.#folders.clear();
    this.#stale.clear();
    for (const reached of this.#waiting.values()) reached();
  }
}
