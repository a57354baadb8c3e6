import type { Call } from '../call.ts';
import type { ShellRole } from '../found.ts';
import type { Text } from '../text.ts';

/** Where a git command works: the folder that its paths start from. */
export interface Place {
  readonly call: Call;
  readonly cwd: string | null;
}

/** Touches a path of the work tree. */
export function touch(place: Place, path: Text, role: ShellRole, recursive = false): void {
  place.call.touch(path, role, { cwd: place.cwd, recursive });
}
