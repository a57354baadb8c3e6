import type { Found, Link, ShellTarget } from './found.ts';
import { changeFolder, isAboveOrSame, joinPath } from './paths.ts';
import { staticOf, type Text } from './text.ts';

/** Notes a link. One whose ends cannot be read may lead anywhere. */
export function noteLink(
  found: Found,
  cwd: string | null,
  path: Text,
  source: Text,
  isSymbolic: boolean,
): void {
  const [at, from] = [staticOf(path), staticOf(source)];
  if (at === null || from === null || (cwd === null && !(at.startsWith('/') && from.startsWith('/')))) {
    found.openLinks = true;
    return;
  }
  const link = joinPath(cwd ?? '/', at);
  // A symbolic link is read from where it lies, a hard link is made from where we are.
  const folder = isSymbolic ? changeFolder(link, '..') : (cwd ?? '/');
  found.links.push({ path: link, source: joinPath(folder, from) });
}

/** Adds what is named behind the links that the same command made. */
function followNamed({ links, named }: Found): void {
  let last = [...named.paths];
  for (let round = 0; round < 3 && last.length > 0 && named.paths.size <= 4096; round++) {
    last = last.flatMap((path) =>
      links.flatMap((link) =>
        isAboveOrSame(link.path, path) ? joinPath(link.source, `.${path.slice(link.path.length)}`) : [],
      ),
    );
    for (const path of last) named.paths.add(path);
  }
}

/** Adds what the targets mean behind the links that the same command made. */
export function followLinks(found: Found): void {
  if (found.links.length === 0 && !found.openLinks) return;
  followNamed(found);
  const others = [...found.targets.values()].filter((target) => target.by !== 'ln');
  const isUnread = [...found.unread.values()].some((entry) => entry.by !== 'ln');
  if (isUnread || (found.openLinks && others.length > 0)) {
    found.opaque.add('ln: what is written may go through a link made here');
  }
  let last = others;
  for (let round = 0; round < 3 && last.length > 0; round++) {
    last = last.flatMap((target) => found.links.flatMap((link) => behind(target, link)));
    for (const target of last) found.targets.set(JSON.stringify(target), target);
    if (found.targets.size > 4096) break;
  }
}

function behind(target: ShellTarget, link: Link): readonly ShellTarget[] {
  const path = changeFolder('/', target.path);
  if (!isAboveOrSame(link.path, path)) return [];
  // Removing or moving the link itself leaves its source alone.
  if (path === link.path && (target.role === 'delete' || target.role === 'move-from')) return [];
  return [{ ...target, path: joinPath(link.source, `.${path.slice(link.path.length)}`) }];
}
