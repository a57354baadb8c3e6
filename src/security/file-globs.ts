import micromatch from 'micromatch';
import { GIT_NAME } from '../core/footprints/git.ts';
import { SIDECAR } from '../core/words.ts';
import { entryKind, listFolder } from '../platform/list-folder.ts';
import { escapeRegex } from './escape-regex.ts';
import type { ShellReading, ShellUnread } from './shell/index.ts';

/** A file that matches a command's glob now. */
export interface GlobTarget {
  readonly path: string;
  readonly role: ShellUnread['role'];
}

/** Most entries that are looked at for one command; what lies beyond is found after it ran. */
const MAX_LOOKED_AT = 20_000;
/** Most files that one command's globs are judged by. */
const MAX_TARGETS = 1_000;

/** A pattern as a test: a file glob stays in its folder, an unknown value may be any text. */
export function matcherOf({ pattern, glob }: ShellUnread, dot: boolean): (path: string) => boolean {
  if (glob) {
    const matches = micromatch.matcher(pattern.startsWith('/') ? pattern : `**/${pattern}`, { dot });
    // micromatch takes a second argument, which an array's methods would fill with the index.
    return (path) => matches(path);
  }
  // Between two slashes the unknown part may be nothing: `src//a` is `src/a`.
  const source = pattern.replace(
    /\\(.)|\/(\*+)\/|(\*+)|(\?)|([^\\*?/]+|\/)/gs,
    (_all, escaped, folders, stars, one, text) =>
      folders ? '/(?:.*/)?' : stars ? '.*' : one ? '.' : escapeRegex(escaped ?? text),
  );
  const regex = new RegExp(`(^|/)${source}$`, 's');
  return (path) => regex.test(path);
}

/** Ends an expansion that would take too long. */
class TooMany extends Error {}

/** Existing paths that a glob stands for, segment by segment, as a shell does it. */
function* expand(
  folder: string,
  segments: readonly string[],
  dot: boolean,
  spend: () => void,
): Generator<string> {
  const [segment, ...rest] = segments;
  if (segment === undefined) return;
  const step = function* (name: string): Generator<string> {
    const path = `${folder === '/' ? '' : folder}/${name}`;
    if (rest.length > 0) yield* expand(path, rest, dot, spend);
    else if (entryKind(path) !== null) yield path;
  };
  if (!/(?<!\\)[*?]/.test(segment)) {
    yield* step(segment.replace(/\\(.)/g, '$1'));
    return;
  }
  const matches = micromatch.matcher(segment, { dot });
  for (const { name } of listFolder(folder)) {
    spend();
    if (matches(name)) yield* step(name);
  }
}

/** Everything below a folder, links not followed. What git and PactClaw keep is judged by its names. */
function* walk(folder: string, spend: () => void): Generator<string> {
  for (const { name, kind } of listFolder(folder)) {
    spend();
    const path = `${folder === '/' ? '' : folder}/${name}`;
    yield path;
    if (kind === 'folder' && name !== GIT_NAME && name !== SIDECAR) yield* walk(path, spend);
  }
}

/**
 * What a program deletes where it finds it (F-15): what is there now, or the whole folder if that is too much to say.
 */
function* deletions(unread: ShellUnread, spend: () => void): Generator<string> {
  const [start = ''] = /^(?:\\.|[^\\*?])*\//.exec(unread.pattern) ?? [];
  const folder = start.replace(/\\(.)/g, '$1').replace(/(.)\/$/, '$1');
  const matches = matcherOf(unread, true);
  try {
    const found = [...walk(folder, spend)].filter(matches);
    if (found.length > MAX_TARGETS) throw new TooMany();
    yield* found;
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    yield folder;
  }
}

function isUnreadable(error: unknown): boolean {
  return error instanceof TooMany || (error instanceof Error && 'code' in error);
}

/**
 * The files that a command's own globs, and the deletions of `find`, stand for at this moment, so that they are judged
 * like paths that it names. Names that a program makes (`split`, `mktemp`) do not exist yet. Sets of characters are
 * read as any text, so that a glob beside one is left to the comparison after it ran.
 */
export function globTargets(reading: ShellReading, command: string): readonly GlobTarget[] {
  const named = new Set(reading.namedGlobs.map((glob) => glob.replaceAll('**', '*')));
  let looked = 0;
  const spend = () => {
    looked += 1;
    if (looked > MAX_LOOKED_AT) throw new TooMany();
  };
  const targets: GlobTarget[] = [];
  for (const unread of reading.unread) {
    if (!unread.isFound || !unread.pattern.startsWith('/') || !/^(?:delete|move-from)$/.test(unread.role))
      continue;
    for (const path of deletions(unread, spend)) targets.push({ path, role: unread.role });
  }
  if (command.includes('[')) return targets;
  const globs: GlobTarget[] = [];
  try {
    for (const { pattern, role, glob, isNew } of reading.unread) {
      if (!glob || isNew || !pattern.startsWith('/') || !named.has(pattern.replaceAll('**', '*'))) continue;
      for (const path of expand('/', pattern.slice(1).split('/'), reading.seesDots, spend)) {
        globs.push({ path, role });
        if (globs.length > MAX_TARGETS) return targets;
      }
    }
  } catch (error) {
    // A folder that cannot be listed, or too many entries: the comparison after the command finds what it did.
    if (!isUnreadable(error)) throw error;
    return targets;
  }
  return [...targets, ...globs];
}
