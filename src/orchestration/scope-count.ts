import type { CompiledGlob, CompiledScope } from '../core/intent.ts';
import { covers } from '../core/scope.ts';
import { SIDECAR } from '../core/words.ts';
import { isDirectory } from '../platform/files.ts';
import { entryKind, type FolderEntry, listFolder } from '../platform/list-folder.ts';

/**
 * How many files a scope covers now. `limit`: there are more than were asked for, and counting stopped. `count` is
 * null when it could not be told, so that a rule which needs it refuses (H-52, H-55).
 */
export type ScopeCount =
  | { readonly count: number; readonly stoppedAt: 'limit' | null }
  | { readonly count: null; readonly stoppedAt: 'too many entries' | 'unreadable folder' };

const SKIPPED: ReadonlySet<string> = new Set(['.git', 'node_modules', SIDECAR]);
const WILDCARD = /[*?[\](){}!+@|]/;
/** Wildcards that may reach into further folders; any other glob has as many folders as it has slashes. */
const DEEP = /\*\*|[[\](){}!+@|]/;
const MAX_ENTRIES = 20_000;
const MAX_PLACES = 512;

/** Where files of a scope can lie: a folder and how many levels below it. Zero levels: the path itself. */
interface Place {
  readonly path: string;
  readonly levels: number;
}

/** `src/{a,b}/**` as `src/a/**` and `src/b/**`: together at least what the glob means. Null when there are too many. */
function alternatives(glob: string): string[] | null {
  const done: string[] = [];
  for (const todo = [glob]; todo.length > 0; ) {
    if (todo.length + done.length > MAX_PLACES) return null;
    const one = todo.pop() as string;
    const brace = /\{([^{}]*,[^{}]*)\}/.exec(one);
    if (!brace) done.push(one);
    else
      for (const choice of (brace[1] as string).split(','))
        todo.push(one.slice(0, brace.index) + choice + one.slice(brace.index + brace[0].length));
  }
  return done;
}

function placesOf({ glob, base }: CompiledGlob): Place[] {
  const plain = /["'$`]/.test(glob) ? null : alternatives(glob);
  if (!plain) return [{ path: base, levels: Number.POSITIVE_INFINITY }];
  return plain.map((one) => {
    const parts = one.split('/').filter((part) => part !== '' && part !== '.');
    const wild = parts.findIndex((part) => WILDCARD.test(part));
    if (wild < 0) return { path: parts.join('/'), levels: 0 };
    const deep = parts.slice(wild).some((part) => DEEP.test(part));
    return {
      path: parts.slice(0, wild).join('/'),
      levels: deep ? Number.POSITIVE_INFINITY : parts.length - wild,
    };
  });
}

/** Places of a whole scope, none of them inside another that is walked to the bottom. */
function allPlaces(scope: CompiledScope): Place[] {
  const byPath = new Map<string, number>();
  for (const glob of scope.globs) {
    if (glob.negated) continue;
    for (const { path, levels } of placesOf(glob)) byPath.set(path, Math.max(levels, byPath.get(path) ?? 0));
  }
  const roots = [...byPath].filter(([, levels]) => levels === Number.POSITIVE_INFINITY).map(([path]) => path);
  return [...byPath]
    .filter(([path]) => !roots.some((root) => path !== root && (root === '' || path.startsWith(`${root}/`))))
    .map(([path, levels]) => ({ path, levels }));
}

/** Whether a real folder stands at every level; what lies behind a link belongs to where the link leads (H-61). */
function isReached(root: string, parts: readonly string[]): boolean {
  return parts.every((_, index) => entryKind(`${root}/${parts.slice(0, index + 1).join('/')}`) === 'folder');
}

interface Seen {
  readonly path: string;
  readonly kind: FolderEntry['kind'];
}

function* entriesBelow(root: string, place: Place): Generator<Seen> {
  const parts = place.path === '' ? [] : place.path.split('/');
  if (parts.some((part) => SKIPPED.has(part))) return;
  if (place.levels === 0) {
    const kind = isReached(root, parts.slice(0, -1)) ? entryKind(`${root}/${place.path}`) : null;
    if (kind !== null) yield { path: place.path, kind };
    return;
  }
  if (!isReached(root, parts)) return;
  const todo = [{ folder: place.path, levels: place.levels }];
  for (let next = todo.pop(); next; next = todo.pop()) {
    const { folder, levels } = next;
    for (const { name, kind } of listFolder(folder === '' ? root : `${root}/${folder}`)) {
      const path = folder === '' ? name : `${folder}/${name}`;
      yield { path, kind };
      if (kind === 'folder' && levels > 1 && !SKIPPED.has(name))
        todo.push({ folder: path, levels: levels - 1 });
    }
  }
}

function isFile(root: string, { path, kind }: Seen): boolean {
  if (kind !== 'link') return kind === 'file';
  try {
    return !isDirectory(`${root}/${path}`);
  } catch {
    return true;
  }
}

/**
 * Counts the files that exist now and that the scope covers, walking only below the fixed folders of its globs and
 * past `.git`, `node_modules` and the sidecar (H-52, H-55). Stops above `limit`, and gives up after 20,000 entries:
 * the cost follows the scope, never the repository (H-19).
 */
export function countScopeFiles(root: string, scope: CompiledScope, limit: number): ScopeCount {
  const found = new Set<string>();
  let entries = 0;
  try {
    for (const place of allPlaces(scope)) {
      for (const seen of entriesBelow(root, place)) {
        entries += 1;
        if (entries > MAX_ENTRIES) return { count: null, stoppedAt: 'too many entries' };
        if (!covers(scope, seen.path) || !isFile(root, seen)) continue;
        found.add(seen.path);
        if (found.size > limit) return { count: found.size, stoppedAt: 'limit' };
      }
    }
  } catch {
    return { count: null, stoppedAt: 'unreadable folder' };
  }
  return { count: found.size, stoppedAt: null };
}
