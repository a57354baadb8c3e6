import fs from 'node:fs';
import type { FolderEntry } from './list-folder.ts';
import { entryKind } from './list-folder.ts';

/** Who owns what stands at a path, links not followed. */
export interface Standing {
  readonly kind: FolderEntry['kind'];
  /** It belongs to the user of this process. */
  readonly isOwn: boolean;
  /** Nobody but its owner has rights to it. */
  readonly isPrivate: boolean;
}

/** What stands at a path and whose it is; null when nothing does. Throws where it cannot be looked up. */
export function standingAt(path: string): Standing | null {
  const kind = entryKind(path);
  const stat = kind === null ? undefined : fs.lstatSync(path, { throwIfNoEntry: false });
  if (kind === null || stat === undefined) return null;
  return { kind, isOwn: stat.uid === process.getuid?.(), isPrivate: (stat.mode & 0o077) === 0 };
}
