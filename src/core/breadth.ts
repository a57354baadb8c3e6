import micromatch from 'micromatch';
import type { CompiledGlob, CompiledScope, ScopeFault } from './intent.ts';
import { SIDECAR } from './words.ts';

const WILDCARD = /[*?[\](){}!+@|]/;

/** Leading folders of a glob that hold no wildcard: `src/a/**` has `src` and `a`. */
function fixedFolders(glob: string): string[] {
  const parts = glob.split('/');
  const fixed: string[] = [];
  for (const part of parts.slice(0, -1)) {
    if (WILDCARD.test(part)) break;
    fixed.push(part);
  }
  return fixed;
}

/** What makes one expanded glob unfit for a scope, or null (H-51, H-53, H-54). */
function faultOfExpanded(glob: string): string | null {
  if (glob === '' || glob === '.') return 'is empty';
  if (glob.includes('\0') || glob.includes('\n')) return 'holds a control character';
  if (glob.includes('\\')) return 'holds a backslash; use `/`';
  if (glob.startsWith('/') || /^[A-Za-z]:/.test(glob) || glob.startsWith('~'))
    return 'is not relative to the workspace';
  const parts = glob.split('/');
  if (parts.includes('..')) return 'leaves its folder with `..`';
  if (parts.some((part) => part.toLowerCase() === SIDECAR))
    return `names ${SIDECAR}, which no agent may change`;
  const fixed = fixedFolders(glob).filter((part) => part !== '.' && part !== '');
  if (WILDCARD.test(glob) && fixed.length === 0) return 'has a wildcard and no fixed leading folder';
  if (parts.includes('**') && fixed.length < 2) return 'has `**` under fewer than two fixed leading folders';
  if (/\*\*/.test(parts.filter((part) => part !== '**').join('/')) && fixed.length < 2)
    return 'has `**` under fewer than two fixed leading folders';
  return null;
}

/** A glob with its braces expanded, bounded so that a hostile pattern cannot blow up. */
function expand(glob: string): string[] {
  return micromatch.braces(glob, { expand: true, rangeLimit: 100 });
}

/**
 * First fault of a scope's globs, or null when they are narrow enough to be traced (H-51, H-53, H-54).
 * The count of files is a fact about the workspace and is checked by the handshake rule.
 */
export function faultOf(globs: readonly string[]): ScopeFault | null {
  if (globs.length === 0) return { glob: '', why: 'owned_scope is empty' };
  if (globs.every((glob) => glob.startsWith('!')))
    return { glob: globs[0] ?? '', why: 'owned_scope only excludes' };
  for (const glob of globs) {
    if (glob.length > 1024) return { glob: `${glob.slice(0, 64)}…`, why: 'is longer than 1024 characters' };
    if (glob.startsWith('!') && !glob.startsWith('!(')) continue;
    let expanded: string[];
    try {
      expanded = expand(glob);
    } catch {
      return { glob, why: 'has braces that cannot be expanded' };
    }
    if (expanded.length > 256) return { glob, why: 'expands to more than 256 globs' };
    for (const one of expanded.length === 0 ? [''] : expanded) {
      const why = faultOfExpanded(one);
      if (why) return { glob, why };
    }
  }
  return null;
}

function compileGlob(glob: string): CompiledGlob {
  const negated = glob.startsWith('!') && !glob.startsWith('!(');
  const positive = (negated ? glob.slice(1) : glob).replace(/^(\.\/)+/, '');
  const regex = micromatch.makeRe(positive, {});
  const first = expand(positive).map((one) => fixedFolders(one));
  const base = first.length === 1 ? (first[0] ?? []).join('/') : commonFolder(first);
  return { glob, source: regex.source, negated, base };
}

function commonFolder(folders: readonly string[][]): string {
  const [head = [], ...rest] = folders;
  const shared: string[] = [];
  for (const [index, part] of head.entries()) {
    if (!rest.every((other) => other[index] === part)) break;
    shared.push(part);
  }
  return shared.join('/');
}

/** Compiles a scope's globs with micromatch's semantics (H-116). A faulty scope compiles to nothing at all. */
export function compileScope(globs: readonly string[]): CompiledScope {
  const fault = faultOf(globs);
  if (fault) return { globs: [], fault };
  try {
    return { globs: globs.map(compileGlob), fault: null };
  } catch {
    return { globs: [], fault: { glob: globs.join(', '), why: 'cannot be compiled as a glob' } };
  }
}
