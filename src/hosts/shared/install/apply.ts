import { PactError } from '../../../core/errors.ts';
import { replaceFile } from '../../../platform/durable-files.ts';
import { exists, makeDirectory, readIfThere, realFolder, removeFile } from '../../../platform/files.ts';
import type { FileNote } from './part.ts';
import type { FilePlan } from './plan.ts';
import { type Notes, readNotes, writeNotes } from './record.ts';

function assertUnchanged({ file, before }: FilePlan): void {
  const now = readIfThere(file)?.toString('utf8') ?? null;
  if (now === before) return;
  throw new PactError(
    'CONFLICT',
    'the file has just been changed by somebody else',
    'Run the command again.',
    {
      file,
    },
  );
}

/** Writes one file. A link is followed, so that settings kept elsewhere (dotfiles) stay where they are. */
function write(plan: FilePlan): void {
  const { file, after } = plan;
  assertUnchanged(plan);
  if (after === null) {
    removeFile(file);
    return;
  }
  makeDirectory(file.slice(0, file.lastIndexOf('/')));
  const mode = plan.executable ? { mode: 0o755 } : {};
  replaceFile(exists(file) ? realFolder(file) : file, after, { durable: true, ...mode });
}

/** Folders that were made for a file, the innermost first. */
function foldersOf(file: string, keys: readonly string[], notes: Notes): string[] {
  const made = Math.max(0, ...keys.map((key) => notes[key]?.madeFolders ?? 0));
  return Array.from({ length: made }, (_, at) =>
    file
      .split('/')
      .slice(0, -1 - at)
      .join('/'),
  );
}

/**
 * Carries plans out: the notes first, so that an installation cut short can still be undone, then file by file, each
 * in one step. Returns the folders that were made for files that are gone again.
 */
export function applyPlans(plans: readonly FilePlan[], userFolder: string): string[] {
  const before = readNotes(userFolder);
  const changes = plans.flatMap(({ notes }) => Object.entries(notes));
  const added = changes.flatMap(([key, note]): [string, FileNote][] => (note ? [[key, note]] : []));
  if (added.some(([key, note]) => JSON.stringify(before[key]) !== JSON.stringify(note)))
    writeNotes(userFolder, { ...before, ...Object.fromEntries(added) });
  for (const plan of plans) if (plan.action !== 'none') write(plan);
  const forgotten = new Set(changes.flatMap(([key, note]) => (note ? [] : [key])));
  const left = Object.entries(before).filter(([key]) => !forgotten.has(key));
  if (added.length === 0 && left.length < Object.keys(before).length)
    writeNotes(userFolder, Object.fromEntries(left));
  return plans.flatMap(({ action, file, notes }) =>
    action === 'remove' ? foldersOf(file, Object.keys(notes), before) : [],
  );
}
