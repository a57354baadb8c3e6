import { MAX_DEPTH, MAX_FOUND, MAX_PARSED, MAX_STEPS } from './limits.ts';
import { mentionsIn } from './mentions.ts';
import type { Named } from './named.ts';
import { isSink, joinPath, joinPattern } from './paths.ts';
import { isFound, isOpen, staticOf, type Text, withoutTrailingSlash } from './text.ts';

/** What a command does to a path that it writes. */
export type ShellRole = 'write' | 'delete' | 'move-from' | 'move-to';

/** A path that is touched only if another path turns out to be a folder, or not to be one. */
export interface Condition {
  readonly path: string;
  readonly isFolder: boolean;
}

export interface ShellTarget {
  /** Absolute; `..` is kept where it is spelled, for symbolic links may stand before it. */
  readonly path: string;
  readonly role: ShellRole;
  /** The simple command's name, or `>`. */
  readonly by: string;
  /** Everything below the path is touched too. */
  readonly recursive?: boolean;
  /** The target counts only if this holds on disk: `cp a b` writes `b/a` only if `b` is a folder. */
  readonly onlyIf?: Condition;
}

export interface ShellUnread {
  /** `*` and `?` stand for what is unknown; literal glob characters are escaped with a backslash. */
  readonly pattern: string;
  readonly role: ShellRole;
  readonly by: string;
  readonly recursive?: boolean;
  /** True: `*` is a file glob, bound to one folder. False: it may be any text, slashes, `..`, several words. */
  readonly glob: boolean;
  /** Its `*` is a path that a program finds below what comes before it: `find src -delete`. */
  readonly isFound?: true;
  /** It has a part that a program makes up, so that no file is called so yet: `mktemp`. */
  readonly isNew?: true;
}

export interface Invocation {
  readonly argv: readonly (string | null)[];
  readonly cwd: string | null;
}

/** A link that the command itself makes: what is written through it changes the source. */
export interface Link {
  readonly path: string;
  readonly source: string;
}

/** Ends a reading that nobody may rely on. */
export class NotUnderstood extends Error {}

/** Counts what is added, what was there already included. */
class Counted extends Set<string> {
  added = 0;
  override add(value: string): this {
    this.added += 1;
    return super.add(value);
  }
}

/** How much was found up to a point of the reading; see {@link Found.since}. */
export interface Mark {
  readonly touched: number;
  readonly opaque: number;
  readonly ran: number;
}

/** Collects what a reading finds, without repetition and within bounds. */
export class Found {
  readonly targets = new Map<string, ShellTarget>();
  readonly unread = new Map<string, ShellUnread>();
  /** Which simple command, counted, an entry came from last. */
  readonly origins = new WeakMap<ShellTarget | ShellUnread, number>();
  readonly opaque = new Counted();
  /** Names of the commands in the order in which they were read. */
  readonly ran: string[] = [];
  readonly commands = new Set<string>();
  readonly invocations = new Map<string, Invocation>();
  readonly words = new Set<string>();
  readonly named: Named = { paths: new Set(), globs: new Set() };
  /** Data given to commands by here-documents; it counts as mention only where something opaque may run it. */
  readonly bodies = new Set<string>();
  readonly links: Link[] = [];
  /** A link was made whose ends cannot be read. */
  openLinks = false;
  background = false;
  #steps = 0;
  #parsed = 0;
  #depth = 0;
  #touched = 0;

  /** Counts one command read. */
  step(): void {
    this.#steps += 1;
    if (this.#steps > MAX_STEPS) throw new NotUnderstood(`command does more than ${MAX_STEPS} steps`);
    const { paths, globs } = this.named;
    if (this.targets.size + this.unread.size + this.words.size + paths.size + globs.size > MAX_FOUND) {
      throw new NotUnderstood('command touches too much to be judged');
    }
  }

  get mark(): Mark {
    return { touched: this.#touched, opaque: this.opaque.added, ran: this.ran.length };
  }

  /** What was read since a mark: whether files are changed, or may be, and by which commands. */
  since(mark: Mark): { touches: boolean; isOpaque: boolean; ran: readonly string[] } {
    const { touched, opaque, ran } = mark;
    return {
      touches: this.#touched > touched,
      isOpaque: this.opaque.added > opaque,
      ran: this.ran.slice(ran),
    };
  }

  /** Counts text handed to the parser. */
  spend(length: number): void {
    this.#parsed += length;
    if (this.#parsed > MAX_PARSED) throw new NotUnderstood('command holds too much nested script text');
  }

  /** Runs `work` one level deeper. */
  deeper<T>(work: () => T): T {
    if (this.#depth >= MAX_DEPTH)
      throw new NotUnderstood(`command is nested deeper than ${MAX_DEPTH} levels`);
    this.#depth += 1;
    try {
      return work();
    } finally {
      this.#depth -= 1;
    }
  }

  /** Records the known pieces of a word, and the path-like words inside of them. */
  mention(text: Text): void {
    for (const piece of text) {
      if (typeof piece !== 'string') continue;
      this.words.add(piece);
      for (const word of mentionsIn(piece)) this.words.add(word);
    }
  }

  /** Records a path that is written, as a target when all of it is known and otherwise as an unread pattern. */
  touch(
    text: Text,
    cwd: string | null,
    entry: { role: ShellRole; by: string; recursive?: boolean; onlyIf?: { path: Text; isFolder: boolean } },
  ): void {
    const { role, by, recursive = false, onlyIf } = entry;
    const path = staticOf(text);
    if (path === '') return;
    if (path === null || !isSink(joinPath(cwd ?? '/', path))) this.#touched += 1;
    if (path !== null && (cwd !== null || path.startsWith('/'))) {
      const whole = joinPath(cwd ?? '/', path);
      if (isSink(whole)) return;
      const pivot = onlyIf === undefined ? null : staticOf(onlyIf.path);
      const condition =
        onlyIf === undefined || pivot === null || (cwd === null && !pivot.startsWith('/'))
          ? {}
          : { onlyIf: { path: joinPath(cwd ?? '/', pivot), isFolder: onlyIf.isFolder } };
      const target = { path: whole, role, by, ...(recursive ? { recursive } : {}), ...condition };
      this.targets.set(JSON.stringify(target), target);
      this.origins.set(target, this.#steps);
      return;
    }
    const pattern = joinPattern(cwd, withoutTrailingSlash(text));
    const glob = path === null && !isOpen(text) && (cwd !== null || !pattern.startsWith('**/'));
    const unread = {
      pattern,
      role,
      by,
      ...(recursive ? { recursive } : {}),
      glob,
      ...(isFound(text) ? { isFound: true as const } : {}),
      ...(text.some((piece) => typeof piece !== 'string' && piece.isNew) ? { isNew: true as const } : {}),
    };
    this.unread.set(JSON.stringify(unread), unread);
    this.origins.set(unread, this.#steps);
  }
}
