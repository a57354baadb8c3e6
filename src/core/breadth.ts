import micromatch from 'micromatch';
import type { CompiledGlob, CompiledScope, ScopeFault } from './intent.ts';
import { SIDECAR } from './words.ts';

/**
 * Limit of brace groups in a glob. Each group multiplies the expansion; more would cost seconds before any limit on
 * the result applies.
 */
const MAX_BRACES = 6;
const WILDCARD = /[*?[\](){}!+@|]/;
const MAX_CHOICES = 256;
/** Limit of wildcards in a glob. With more, the regular expression takes seconds on a long name. */
const MAX_STARS = 6;
const MAX_STARS_IN_A_NAME = 3;

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

/** Classes that cannot match a slash; any other may, by a range or a name, and repeated it reaches any depth. */
const PLAIN_CLASS = /\[[!^]?(?:[A-Za-z0-9_](?:-[A-Za-z0-9_])?)+\]/g;

/** Parts that match folders of any depth without saying `**`: groups with a slash, classes that may match one. */
function reachesDeep(glob: string): boolean {
  return glob.includes('**') || /\(.*\//s.test(glob) || glob.replace(PLAIN_CLASS, '').includes('[');
}

/**
 * Ranges that are none (`{/1..3}`) or that run over characters: as an expression they become classes that may hold a
 * slash.
 */
const ODD_RANGE =
  /\{(?!-?\d+\.\.-?\d+(?:\.\.-?\d+)?\}|[A-Za-z]\.\.[A-Za-z](?:\.\.-?\d+)?\})[^{},]*\.\.[^{},]*\}/;

/** Forms that micromatch hands to the regular expression as they are: alternatives of the whole, repetitions. */
function rawRegex(glob: string): string | null {
  const withoutGroups = glob.replace(/\[[^\]]*\]/g, '').replace(/\([^()]*\)/g, '');
  if (glob.includes('|') && (withoutGroups.includes('|') || /[[\]]/.test(glob)))
    return 'has `|` outside a group; use `{a,b}`';
  if (/[\])]\+(?!\()/.test(glob) || /\([^)]*\+(?!\()/.test(glob)) return 'has `+` as a repetition; use `*`';
  const stars = (text: string) => (text.match(/\*+/g) ?? []).length;
  if (stars(glob) > MAX_STARS) return `has more than ${MAX_STARS} stars`;
  if (glob.split('/').some((part) => stars(part) > MAX_STARS_IN_A_NAME))
    return `has more than ${MAX_STARS_IN_A_NAME} stars in one name`;
  return null;
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
  const raw = rawRegex(glob);
  if (raw) return raw;
  const fixed = fixedFolders(glob).filter((part) => part !== '.' && part !== '');
  if (WILDCARD.test(glob) && fixed.length === 0) return 'has a wildcard and no fixed leading folder';
  if (reachesDeep(glob) && fixed.length < 2)
    return `has ${glob.includes('**') ? '`**`' : 'a group or class that reaches any depth'} under fewer than two fixed leading folders`;
  return null;
}

/**
 * Upper bound of the number of globs that the braces expand to, computed without expanding: a hostile pattern can mean
 * billions.
 */
function countChoices(glob: string): number {
  let choices = 1;
  const open: number[] = [];
  for (const char of glob) {
    if (char === '{') open.push(1);
    else if (char === ',' && open.length > 0) open[open.length - 1]! += 1;
    else if (char === '}') choices *= open.pop() ?? 1;
  }
  for (const [, from, to] of glob.matchAll(/\{(-?\w+)\.\.(-?\w+)/g)) {
    const span = Math.abs(Number(to) - Number(from)) + 1;
    choices *= Number.isFinite(span) ? span : MAX_CHOICES;
  }
  return choices;
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
    if (glob.startsWith('!!')) return { glob, why: 'begins with more than one `!`' };
    if (countChoices(glob) > MAX_CHOICES) return { glob, why: `expands to more than ${MAX_CHOICES} globs` };
    if (glob.startsWith('!') && !glob.startsWith('!(')) {
      const raw = rawRegex(glob.slice(1));
      if (raw) return { glob, why: raw };
      continue;
    }
    if (ODD_RANGE.test(glob))
      return { glob, why: 'has braces with `..` that are no range of numbers or letters' };
    if ((glob.match(/\{/g)?.length ?? 0) > MAX_BRACES)
      return { glob, why: `has more than ${MAX_BRACES} brace groups` };
    let expanded: string[];
    try {
      expanded = expand(glob);
    } catch {
      return { glob, why: 'has braces that cannot be expanded' };
    }
    if (expanded.length > MAX_CHOICES) return { glob, why: `expands to more than ${MAX_CHOICES} globs` };
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
