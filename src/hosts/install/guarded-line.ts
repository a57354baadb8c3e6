import { shellLine } from './shell-line.ts';

/**
 * What the shell between host and launcher does: it passes on an answer and nothing else. Some hosts run a call whose hook
 * was killed, is gone, or printed what is no answer. Exit code 2 with a text is the refusal that all of them honour.
 */
const BEGIN = 'o=$(';
const END =
  "); c=$?; case $c:$o in 0:{* | 2:{*) printf '%s\\n' \"$o\"; exit $c ;; esac; echo 'Fail-Safe Default: PactClaw could not judge this call (its launcher is gone, was killed or is another program).' >&2; exit 2";

/** A command line whose failure is a refusal, for hosts that hand a hook's command to a POSIX shell. */
export function guardedLine(words: readonly string[]): string {
  return BEGIN + shellLine(words) + END;
}

/** A command line without that, as it can be read back into words, and whether it had it. */
export function withoutGuard(line: string): { readonly line: string; readonly guarded: boolean } {
  const guarded = line.startsWith(BEGIN) && line.endsWith(END);
  return { line: guarded ? line.slice(BEGIN.length, -END.length) : line, guarded };
}
