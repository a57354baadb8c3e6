import { shellLine, shellWords } from './shell-line.ts';

/**
 * What stands between host and launcher: it passes on an answer and nothing else. Hosts run a call whose hook was
 * killed, is gone, or printed what is no answer. Exit code 2 with a text is the refusal that all of them honour.
 */
const GUARD = [
  'o=$("$0" "$@"); c=$?; case $c:$o in 0:{* | 2:{*) printf "%s\\n" "$o"; exit $c ;; esac;',
  'echo "Fail-Safe Default: PactClaw could not judge this call (its launcher is gone, was killed or is another program).',
  'A human can run: pactclaw verify $2" >&2; exit 2',
].join(' ');

const BEGIN = ['/bin/sh', '-c', GUARD];

/**
 * The command line of a hook whose failure must refuse, for hosts that hand it to a shell. Whichever shell that is, a
 * plain one runs the guard. `words`: launcher, Node, host, and what else the launcher is given.
 */
export function guardedLine(words: readonly string[]): string {
  return shellLine([...BEGIN, ...words]);
}

/** Returns a command line without the guard, and whether it had one. */
export function withoutGuard(line: string): { readonly line: string; readonly guarded: boolean } {
  const words = shellWords(line);
  const guarded = words !== null && BEGIN.every((word, at) => words[at] === word);
  return { line: guarded ? shellLine(words.slice(BEGIN.length)) : line, guarded };
}
