import { placesAmong } from './other-words.ts';
import { joinPath, joinPattern } from './paths.ts';
import { headOf, isOpen, staticOf, type Text } from './text.ts';

/** A place in a longer word: `--file=/x`, `if=/x`, `data=@/x`, `k=</x`, `host:/x`, `file://host/x`, `-C/x`, `-sT/x`. */
const INSIDE = /(?:^-[A-Za-z]+|[=@<]["']|[=:@,<]|:\/\/|\bfile:\/\/[^/]+)(?=\/)/gi;

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
  if (/^https?:\/\//i.test(text)) return;
  // Prose may say anything; a place that has a space in it is spelled out from the first word on.
  const prose = text.search(/\s/);
  for (const { index, 0: sign } of text.matchAll(INSIDE)) {
    if (prose >= 0 && index > prose) return;
    const place = text.slice(index + sign.length).replace(/["'].*$/s, '');
    named.paths.add(joinPath('/', place));
    named.paths.add(joinPath('/', place.replace(/;.*$/s, '')));
    if (/^file:/i.test(text)) named.paths.add(joinPath('/', unescaped(place)));
  }
  if (prose >= 0) return;
  // `docker -v /x:/y`, `PATH=/x:/y`: what stands before a colon is a place as well.
  for (const [, head = ''] of text.matchAll(/(?:^|[=:@,])(\/[^:,]*)(?=[:,])/g))
    named.paths.add(joinPath('/', head));
}

function unescaped(address: string): string {
  return address.replace(/%([2-7][0-9a-f])/gi, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
}

/** Options that name the folder in which relative arguments are looked for: `-C x`, `-Cx`, `--directory=x`. */
const FOLDER = /^(?:-C|--directory|--chdir|--cwd|--prefix)(?:=?(.+))?$/s;

/** Folders that relative arguments may be seen from: the shell's own, and those that the command is told to go to. */
function foldersFor(args: readonly Text[], cwd: string | null): ReadonlySet<string | null> {
  const folders = new Set([cwd]);
  for (const [at, arg] of args.entries()) {
    const option = FOLDER.exec(headOf(arg));
    if (!option) continue;
    const next = args[at + 1];
    const folder = option[1] ?? (next && staticOf(next)) ?? '';
    if (folder.startsWith('/') || (cwd !== null && folder !== '')) folders.add(joinPath(cwd ?? '/', folder));
  }
  return folders;
}

/** Records what a command's arguments may name. */
export function nameArguments(named: Named, argv: readonly Text[], cwd: string | null): void {
  const [program, ...args] = argv;
  const name = (program && staticOf(program)?.replace(/^.*\//, '')) ?? '';
  const places = placesAmong(name, args);
  for (const folder of foldersFor(args, cwd)) for (const place of places) nameIn(named, place, folder);
}
