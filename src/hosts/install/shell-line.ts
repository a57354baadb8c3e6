/** A word as a POSIX shell reads it back. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** One command line of several words, for hosts that hand a hook's command to a shell. */
export function shellLine(words: readonly string[]): string {
  return words.map(quoted).join(' ');
}

const PIECE = /'([^']*)'|"((?:[^"\\$`]|\\.)*)"|\\(.)|([^\s'"\\|&;<>()$`*?[\]#~]+)/gy;

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
    let word = '';
    const start = at;
    for (;;) {
      PIECE.lastIndex = at;
      const piece = PIECE.exec(line);
      if (piece === null) break;
      word += piece[1] ?? piece[2]?.replace(/\\(["\\$`])/g, '$1') ?? piece[3] ?? piece[4];
      at = PIECE.lastIndex;
    }
    if (at === start || (at < line.length && !/\s/.test(line[at] ?? ''))) return null;
    words.push(word);
  }
  return words;
}

/** What stands between a host's shell and the launcher: it refuses by itself when the launcher is gone or is killed. */
const GUARD = [
  '"$0" "$@" && exit 0; [ $? -eq 2 ] ||',
  'echo "Fail-Safe Default: PactClaw could not judge this call, for its hook did not run to its end.',
  'A human can run: pactclaw verify HOST" >&2; exit 2',
].join(' ');

/**
 * The command line of a hook for a host that lets a call run when the hook's program is missing or dies, and takes exit
 * code 2 with a text on standard error for a refusal. For events whose failure must refuse, and no others.
 */
export function guardedLine(host: string, words: readonly string[]): string {
  return shellLine(['/bin/sh', '-c', GUARD.replace('HOST', host), ...words]);
}
