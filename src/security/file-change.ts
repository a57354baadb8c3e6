import { isUtf8 } from 'node:buffer';
import { namesIn } from './intake.ts';

/** A file that differs between two snapshots. `before`/`after` are object ids, null where it did not exist. */
export interface FileChange {
  readonly path: string;
  /** The name's bytes when they are no UTF-8 and `path` only shows them. */
  readonly raw: Buffer | null;
  readonly before: string | null;
  readonly after: string | null;
  readonly beforeMode: string;
  readonly afterMode: string;
}

/** A file as a snapshot holds it; `object` is null where there is none. */
export interface SnapshotEntry {
  readonly name: Buffer;
  readonly mode: string;
  readonly object: string | null;
}

const ZERO = /^0+$/;

/** The changes that `git diff-tree -z` printed. */
export function changesIn(output: Buffer): FileChange[] {
  const words = namesIn(output);
  const found: FileChange[] = [];
  for (let at = 0; at + 1 < words.length; at += 2) {
    const [beforeMode = '', afterMode = '', from = '', to = ''] = String(words[at]).slice(1).split(' ');
    const name = words[at + 1] as Buffer;
    found.push({
      path: name.toString('utf8'),
      raw: isUtf8(name) ? null : name,
      before: ZERO.test(from) ? null : from,
      after: ZERO.test(to) ? null : to,
      beforeMode,
      afterMode,
    });
  }
  return found;
}
