import { under } from '../core/under.ts';
import { expandHome } from '../platform/home.ts';
import { inMoment } from '../platform/moment.ts';
import { realPathOf } from '../platform/resolve-path.ts';
import { escapeRegex } from './escape-regex.ts';
import { fold } from './fold.ts';

/** Where the resident engine and the proxies keep what lets a program in: who reads it can play the host. */
const RUN_FOLDER = '~/.pactclaw/run';

/** A place that may not even be read. */
export interface ForbiddenPlace {
  /** As the policy names it. */
  readonly name: string;
  /** As named, and where that really is: on some systems `/etc` or the home folder is a link. Folded. */
  readonly paths: readonly string[];
  /** Folders above it that no agent may search. Folded. */
  readonly above: readonly string[];
}

/** The places of a policy, and those that are forbidden under any. `home` is what `~` stands for. */
export function forbiddenPlaces(folders: readonly string[], home: string): readonly ForbiddenPlace[] {
  const names = [...folders, RUN_FOLDER];
  return inMoment(`forbidden ${home}\n${names.join('\n')}`, () => placesNamed(names, home));
}

function placesNamed(names: readonly string[], home: string): readonly ForbiddenPlace[] {
  return names.map((name) => {
    const spelled = expandHome(name, home);
    const paths = [spelled, realPathOf(spelled, '/').absolute];
    const folded = [...new Set(paths.map((path) => fold(path).replace(/\/+$/, '')))];
    const above = name === RUN_FOLDER ? folded.map((path) => path.replace(/\/[^/]*$/, '')) : [];
    return { name, paths: folded, above };
  });
}

/** The forbidden place that a real path lies in, by its name in the policy; null for none. */
export function forbiddenOver(absolute: string, places: readonly ForbiddenPlace[]): string | null {
  const path = fold(absolute);
  const within = (folder: string) => under(path, folder);
  return places.find(({ paths }) => paths.some(within))?.name ?? null;
}

/** The place that a command or a search that is given this very folder may come to; null for none. */
export function walkedInto(absolute: string, places: readonly ForbiddenPlace[]): string | null {
  return places.find(({ above }) => above.includes(fold(absolute)))?.name ?? null;
}

/**
 * A file glob's first segments, as many as a folder has, as a test for that folder; `\\` escapes (see ShellReading).
 */
function reaches(glob: string, folder: string): boolean {
  const wanted = folder.split('/');
  const parts = fold(glob).split('/');
  if (parts.length < wanted.length) return false;
  const source = parts
    .slice(0, wanted.length)
    .join('/')
    .replace(/\\(.)|\*+|\?|[^\\*?]+/gs, (some, escaped: string | undefined, at: number, whole: string) => {
      // A name that begins with a dot has to be spelled so, unless `**` says that it need not.
      const dot = some !== '**' && (at === 0 || whole[at - 1] === '/') ? '(?!\\.)' : '';
      if (some.startsWith('*')) return `${dot}[^/]*`;
      if (some === '?') return `${dot}[^/]`;
      return escapeRegex(escaped ?? some);
    });
  return new RegExp(`^${source}$`, 's').test(folder);
}

/** The root folder by another name. */
const PROCESS_ROOT = /^(?:\/proc\/(?:self|thread-self|\d+)(?:\/task\/\d+)?\/root(?=\/))+/;

/** The first thing that a command names, as a path or by a file glob, in a forbidden place; null for none. */
export function forbiddenAmong(
  { named, namedGlobs }: { readonly named: readonly string[]; readonly namedGlobs: readonly string[] },
  places: readonly ForbiddenPlace[],
): { readonly asked: string; readonly by: string } | null {
  for (const asked of named) {
    const path = asked.replace(PROCESS_ROOT, '');
    const by = [realPathOf(path, '/').absolute, path]
      .map((one) => forbiddenOver(one, places) ?? walkedInto(one, places))
      .find((name) => name !== null);
    if (by != null) return { asked, by };
  }
  for (const asked of namedGlobs) {
    const place = places.find(({ paths }) => paths.some((folder) => reaches(asked, folder)));
    if (place) return { asked, by: place.name };
  }
  return null;
}
