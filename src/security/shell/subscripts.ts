import type { State } from './state.ts';
import { staticOf, type Text } from './text.ts';
import type { Walker } from './walker.ts';

/** Builtins that take a variable's name, or arithmetic, as their argument. */
const NAMING = new Set(
  'let test [ printf unset read declare typeset local export readonly mapfile readarray wait'.split(' '),
);

/**
 * Reads what builtins expand once more in names of array elements: `test -v 'a[$(rm x)]'` runs `rm x` (bash manual,
 * 6.5 and the compatibility setting `assoc_expand_once`).
 */
export function readSubscripts(walker: Walker, name: string, args: readonly Text[], state: State): void {
  if (!NAMING.has(name)) return;
  if (/^(?:test|\[|printf)$/.test(name) && !args.some((arg) => staticOf(arg) === '-v')) return;
  for (const arg of args) {
    const text = staticOf(arg);
    if (text === null || !/\[[^\]]*(?:\$\(|`)/s.test(text)) continue;
    walker.found.opaque.add(`${name}: an index that runs a command`);
    for (const [, inner, quoted] of text.matchAll(/\$\((.*)\)|`([^`]*)`/gs))
      walker.isolated(() => walker.source(inner ?? quoted ?? '', { ...state, params: null }));
  }
}
