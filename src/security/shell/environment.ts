import { NotUnderstood } from './found.ts';
import type { State } from './state.ts';
import { headOf, staticOf, type Text } from './text.ts';
import type { Walker } from './walker.ts';

/**
 * Variables that make a program run or find something else than its command line says. Setting one of them
 * means that what follows cannot be judged by its words.
 */
const TELLING =
  /^(PATH|CDPATH|IFS|ENV|BASH_ENV|SHELL|SHELLOPTS|BASHOPTS|PROMPT_COMMAND|PS[0-4]|LD_\w+|DYLD_\w+|GIT_(?!(AUTHOR|COMMITTER)_|TERMINAL_PROMPT$|OPTIONAL_LOCKS$|MERGE_AUTOEDIT$)\w+|EDITOR|VISUAL|PAGER|\w+_PAGER|LESSOPEN|LESSCLOSE|NODE_OPTIONS|PYTHONSTARTUP|PERL5(LIB|OPT)|RUBY(OPT|LIB)|TAR_OPTIONS|RSYNC_RSH|POSIXLY_CORRECT|GLOBIGNORE|FCEDIT)$/;

/** Values that make the programs among them do nothing. */
const HARMLESS = new Set(['', 'cat', 'true', ':', 'less', 'more', '/bin/true', '/bin/cat', 'never']);

/** Variables whose value is a command line. */
const RUN =
  /^(PROMPT_COMMAND|EDITOR|VISUAL|PAGER|\w+_PAGER|FCEDIT|LESSOPEN|LESSCLOSE|RSYNC_RSH|GIT_EXTERNAL_DIFF|GIT_\w*(EDITOR|SSH_COMMAND|ASKPASS|PROXY_COMMAND))$/;

/** Variables with the file that git writes its trace to. A number names a descriptor, a word switches it on or off. */
const TRACE = /^GIT_TRACE(2|_\w+|2_\w+)?$/;

/** True for text in which one `&` puts a command into the background, should a shell read it. */
export function detaches(text: string): boolean {
  return /(?<![&<>\\|])&(?![&>\d])/.test(text);
}

/** Judges a variable that is set: one that changes what other words mean makes the command opaque, one that names a command is read. */
export function checkVariable(name: string, value: Text, walker: Walker, state: State): void {
  if (!TELLING.test(name)) return;
  const text = staticOf(value);
  if (/PAGER|EDITOR|VISUAL/.test(name) && HARMLESS.has(text ?? '?')) return;
  walker.found.opaque.add(`${name}: changes what later words mean`);
  if (TRACE.test(name) && headOf(value).startsWith('/')) {
    walker.found.touch(value, null, { role: 'write', by: name });
  }
  if (!RUN.test(name) || text === null) return;
  try {
    walker.isolated(() => walker.source(text, { ...state, params: null }));
  } catch (error) {
    // A command line for another reader than a shell: what it does is opaque already.
    if (!(error instanceof NotUnderstood && error.message.startsWith('syntax'))) throw error;
  }
}
