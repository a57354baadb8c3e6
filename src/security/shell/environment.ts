import type { Found } from './found.ts';
import { staticOf, type Text } from './text.ts';

/**
 * Variables that make a program run or find something else than its command line says. Setting one of them
 * means that what follows cannot be judged by its words.
 */
const TELLING =
  /^(PATH|CDPATH|IFS|ENV|BASH_ENV|SHELL|SHELLOPTS|BASHOPTS|PROMPT_COMMAND|PS[0-4]|LD_\w+|DYLD_\w+|GIT_(?!(AUTHOR|COMMITTER)_|TERMINAL_PROMPT$|OPTIONAL_LOCKS$|MERGE_AUTOEDIT$)\w+|EDITOR|VISUAL|PAGER|\w+_PAGER|LESSOPEN|LESSCLOSE|NODE_OPTIONS|PYTHONSTARTUP|PERL5(LIB|OPT)|RUBY(OPT|LIB)|TAR_OPTIONS|RSYNC_RSH|POSIXLY_CORRECT|GLOBIGNORE|FCEDIT)$/;

/** Values that make the programs among them do nothing. */
const HARMLESS = new Set(['', 'cat', 'true', ':', 'less', 'more', '/bin/true', '/bin/cat', 'never']);

/** Marks the command as opaque when it sets a variable that changes what other words mean. */
export function checkVariable(name: string, value: Text, found: Found): void {
  if (!TELLING.test(name)) return;
  if (/PAGER|EDITOR|VISUAL/.test(name) && HARMLESS.has(staticOf(value) ?? '?')) return;
  found.opaque.add(`${name}: changes what later words mean`);
}
