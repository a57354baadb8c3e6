import type { CompiledGlob, CompiledScope } from './intent.ts';

const compiled = new WeakMap<CompiledGlob, RegExp>();

function regexOf(glob: CompiledGlob): RegExp {
  const known = compiled.get(glob);
  if (known) return known;
  const regex = new RegExp(glob.source);
  compiled.set(glob, regex);
  return regex;
}

/**
 * One glob on one path. A path that is spelled like the glob matches too, as in micromatch: a folder may
 * really be called `[id]`. INVARIANT (base): nothing outside the glob's fixed folder matches, whatever its expression says.
 */
function matches(glob: CompiledGlob, path: string): boolean {
  if (path === (glob.negated ? glob.glob.slice(1) : glob.glob)) return true;
  if (glob.base !== '' && path !== glob.base && !path.startsWith(`${glob.base}/`)) return false;
  return regexOf(glob).test(path);
}

/**
 * Whether a scope covers a workspace-relative path (`/` separators, already resolved).
 * Globs apply in order, as in a list of micromatch: a match adds the path, a negated match removes it, a later
 * match adds it again (H-57, H-116). A scope of negations alone covers nothing.
 */
export function covers(scope: CompiledScope, path: string): boolean {
  let inside = false;
  for (const glob of scope.globs) {
    if (glob.negated ? inside : !inside) {
      if (matches(glob, path)) inside = !glob.negated;
    }
  }
  return inside;
}
