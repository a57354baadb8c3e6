/** A word as a POSIX shell reads it back. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** One command line of several words, for hosts that hand a hook's command to a shell. */
export function shellLine(words: readonly string[]): string {
  return words.map(quoted).join(' ');
}

const PIECE = /'([^']*)'|"((?:[^"\\$`]|\\.)*)"|\\(.)|([^\s'"\\|&;<>()$`*?[\]#~]+)/gy;

/** The word that begins at a place of a command line, and where it ends; null where none does. */
export function shellWordAt(
  line: string,
  start: number,
): { readonly word: string; readonly end: number } | null {
  let word = '';
  let at = start;
  for (;;) {
    PIECE.lastIndex = at;
    const piece = PIECE.exec(line);
    if (piece === null) break;
    word += piece[1] ?? piece[2]?.replace(/\\(["\\$`])/g, '$1') ?? piece[3] ?? piece[4];
    at = PIECE.lastIndex;
  }
  return at === start ? null : { word, end: at };
}

/** The words of a plain command line; null where a shell would do more with it than split it into words. */
export function shellWords(line: string): string[] | null {
  const words: string[] = [];
  let at = 0;
  while (at < line.length) {
    const blank = /\s+/y;
    blank.lastIndex = at;
    if (blank.test(line)) {
      at = blank.lastIndex;
      continue;
    }
    const found = shellWordAt(line, at);
    if (found === null || (found.end < line.length && !/\s/.test(line[found.end] ?? ''))) return null;
    words.push(found.word);
    at = found.end;
  }
  return words;
}
