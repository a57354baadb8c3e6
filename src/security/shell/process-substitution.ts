import type { ParsedScript } from 'unbash';
import type { State } from './state.ts';
import type { Walker } from './walker.ts';

/** Commands that end when their input does, so that what they write is written when the writer is done. */
const FILTERS = new Set(
  'tee cat grep egrep fgrep rg sed awk gawk mawk sort uniq wc head tail tr cut paste fold fmt nl rev tac jq column ts gzip zstd xz bzip2 base64 od xxd hexdump md5sum sha1sum sha256sum shasum cksum'.split(
    ' ',
  ),
);

/** Commands that take a substitution and need not read it, or not to its end. */
const NEVER_READ = new Set(
  'true false : echo printf exec head read sleep test [ [[ export set cd eval command builtin cmp'.split(' '),
);

/** Who reads the substitutions of a command, as far as it surely is a program that reads: null otherwise. */
export function readerOf(name: string | undefined, state: State): string | null {
  if (name === undefined || NEVER_READ.has(name) || state.functions.has(name)) return null;
  return name;
}

/**
 * Reads a process substitution. The shell does not wait for it (bash manual, 3.5.6), so it goes on in the background
 * wherever it may change something when its command has ended (F-6). Where it only reads, nothing can happen.
 * `>(…)` ends soon after its input when it is made of filters. `<(…)` ends with its reader when that reads to the end.
 */
export function readProcessSubstitution(
  walker: Walker,
  operator: '<' | '>',
  script: ParsedScript,
  state: State,
  reader: string | null,
): void {
  const { found } = walker;
  const mark = found.mark;
  walker.subscript(script, state);
  const { touches, isOpaque, ran } = found.since(mark);
  const areFilters = !isOpaque && ran.length > 0 && ran.every((name) => FILTERS.has(name));
  const isRead = operator === '<' && !touches && reader !== null;
  if ((touches || isOpaque) && !areFilters && !isRead) found.background = true;
}
