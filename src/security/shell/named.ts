import { joinPath, joinPattern } from './paths.ts';
import { isOpen, staticOf, type Text } from './text.ts';

/** Commands that only say their arguments. */
const SAYERS: ReadonlySet<string> = new Set(['echo', 'printf', ':', 'true', 'false']);

/** A place in a longer word: `--file=/x`, `if=/x`, `data=@/x`, `host:/x`, `file:///x`, `-C/x`. */
const INSIDE = /(?:^-[A-Za-z]|[=:@,]|:\/\/)(?=\/)/g;

/** Places that commands name as arguments or read from, whatever they do with them. Bounded by {@link Found}. */
export interface Named {
  /** Absolute; `..` is kept. */
  readonly paths: Set<string>;
  /** Absolute, with file globs. */
  readonly globs: Set<string>;
}

/** Records what a word may name, seen from a folder; a word of which nothing certain is known names nothing. */
export function nameIn(named: Named, word: Text, cwd: string | null): void {
  const text = staticOf(word);
  if (text === null) {
    const pattern = isOpen(word) ? '' : joinPattern(cwd, word);
    if (pattern.startsWith('/')) named.globs.add(pattern);
    return;
  }
  if (text.startsWith('/') || cwd !== null) named.paths.add(joinPath(cwd ?? '/', text));
  if (/\s/.test(text)) return;
  for (const { index, 0: sign } of text.matchAll(INSIDE))
    named.paths.add(joinPath('/', text.slice(index + sign.length)));
  // `docker -v /x:/y`, `PATH=/x:/y`: what stands before a colon is a place as well.
  for (const [, head = ''] of text.matchAll(/(?:^|[=:@,])(\/[^:,]*)(?=[:,])/g))
    named.paths.add(joinPath('/', head));
}

/** Records what a command's arguments may name. */
export function nameArguments(named: Named, argv: readonly Text[], cwd: string | null): void {
  const [program, ...args] = argv;
  if (program && SAYERS.has(staticOf(program) ?? '')) return;
  for (const arg of args) nameIn(named, arg, cwd);
}
