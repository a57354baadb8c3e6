import type { Footprint } from '../../../core/footprints/footprint.ts';
import { under } from '../../../core/under.ts';
import type { Machine } from './installer.ts';

/**
 * Where a file or folder of the user's home stands on a machine: a variable of the host may put it elsewhere. `path` is
 * relative to the home folder, as the host's footprint writes it. An empty variable counts as unset.
 */
export function homePlace(
  { moved = [] }: Pick<Footprint, 'moved'>,
  { home, env }: Machine,
  path: string,
): string {
  const above = moved.filter(({ from }) => under(path, from));
  // The deepest folder that a variable names counts.
  for (const { variable, from, below } of above.toSorted((a, b) => b.from.length - a.from.length)) {
    const named = env(variable);
    if (named) return `${named}${below === undefined ? '' : `/${below}`}${path.slice(from.length)}`;
  }
  return `${home}/${path}`;
}
