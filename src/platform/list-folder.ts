import fs from 'node:fs';
import { errnoOf } from './files.ts';

/** One name in a folder. A link is what its target is not: it is never followed. */
export interface FolderEntry {
  readonly name: string;
  readonly kind: 'file' | 'folder' | 'link' | 'other';
}

/** The part of Node's stat and directory entries that tells kinds apart. */
interface Kinds {
  isFile(): boolean;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
}

function kindOf(entry: Kinds): FolderEntry['kind'] {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'folder';
  return entry.isSymbolicLink() ? 'link' : 'other';
}

/**
 * The entries of a folder one by one, in no order, so that a reader who stops early never pays for the rest of a
 * huge folder. A folder that is not there has none; other failures throw.
 */
export function* listFolder(folder: string): Generator<FolderEntry> {
  let dir: fs.Dir;
  try {
    dir = fs.opendirSync(folder, { bufferSize: 256 });
  } catch (error) {
    const code = errnoOf(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return;
    throw error;
  }
  try {
    for (let entry = dir.readSync(); entry !== null; entry = dir.readSync())
      yield { name: entry.name, kind: kindOf(entry) };
  } finally {
    dir.closeSync();
  }
}

/** What stands at a path, links not followed; null when nothing does. */
export function entryKind(path: string): FolderEntry['kind'] | null {
  try {
    const stat = fs.lstatSync(path, { throwIfNoEntry: false });
    return stat ? kindOf(stat) : null;
  } catch (error) {
    if (errnoOf(error) === 'ENOTDIR') return null;
    throw error;
  }
}

/** Makes a folder that only its owner may enter; one that is there already is left as it is. */
export function makePrivateFolder(folder: string): void {
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
}
