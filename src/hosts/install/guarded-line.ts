import { shellLine } from './shell-line.ts';

/**
 * What the shell between the host and the launcher does when the launcher is gone or was killed: some hosts run a call
 * whose hook ended so. Exit code 2 with a text is the refusal that all of them honour.
 */
const GUARD = ` || { [ $? -eq 2 ] || echo 'Fail-Safe Default: PactClaw could not judge this call (its launcher is gone or was killed).' >&2; exit 2; }`;

/** A command line whose failure is a refusal, for hosts that hand a hook's command to a POSIX shell. */
export function guardedLine(words: readonly string[]): string {
  return shellLine(words) + GUARD;
}

/** A command line without that, as it can be read back into words, and whether it had it. */
export function withoutGuard(line: string): { readonly line: string; readonly guarded: boolean } {
  const guarded = line.endsWith(GUARD);
  return { line: guarded ? line.slice(0, -GUARD.length) : line, guarded };
}

/** The same line with the guard put back. */
export function guardAgain(line: string): string {
  return line + GUARD;
}
