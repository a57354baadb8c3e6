import type { HereDoc, Redirect, Redirection } from 'unbash';
import type { Found } from './found.ts';
import { nameIn } from './named.ts';
import { EMPTY, staticOf, type Text, textOf } from './text.ts';
import { fieldsOf, type ParseWord, textOfBody, wholeOf } from './words.ts';
import type { World } from './world.ts';

const WRITES = new Set(['>', '>>', '>|', '<>', '&>', '&>>', '>&']);

/** Records the files that redirections open for writing. */
export function readRedirects(
  redirects: readonly Redirection[],
  world: World,
  found: Found,
  parseWord: ParseWord,
): void {
  for (const redirect of redirects) {
    if (redirect.type !== 'Redirect' || redirect.target === undefined) continue;
    for (const path of fieldsOf(redirect.target, world, parseWord)) {
      found.mention(path);
      if (WRITES.has(redirect.operator) && !isDescriptor(redirect, path)) {
        found.touch(path, world.cwd, { role: 'write', by: '>' });
      } else nameIn(found.named, path, world.cwd);
    }
  }
}

/** `2>&1`, `>&-` and `3>&1-` copy, close and move descriptors. */
function isDescriptor(redirect: Redirect, path: Text): boolean {
  return redirect.operator === '>&' && /^(\d+-?|-)$/.test(staticOf(path) ?? '');
}

/** What the redirections put on standard input: undefined when they leave it alone, null when unknown. */
export function stdinOf(redirects: readonly Redirection[], world: World): Text | null | undefined {
  let stdin: Text | null | undefined;
  for (const redirect of redirects) {
    const { descriptor } = redirect;
    if (descriptor !== undefined && !(descriptor.type === 'FileDescriptor' && descriptor.value === 0))
      continue;
    if (redirect.type === 'HereDoc') stdin = textOfBody(redirect, world);
    else if (redirect.type === 'HereString') {
      stdin = redirect.target === undefined ? EMPTY : textOf(wholeOf(redirect.target, world), '\n');
    } else if (redirect.operator.startsWith('<')) {
      const isEmpty = redirect.operator === '<' && redirect.target?.value === '/dev/null';
      stdin = isEmpty ? EMPTY : null;
    }
  }
  return stdin;
}

/** Bash only warns of a here-document without its end; what it then reads is anybody's guess. */
export function isUnterminated(redirect: HereDoc): boolean {
  return redirect.closing === undefined;
}
