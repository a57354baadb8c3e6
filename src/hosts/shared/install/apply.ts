import { messageOf, PactError } from '../../../core/errors.ts';
import { replaceFile } from '../../../platform/durable-files.ts';
import {
  exists,
  makeDirectory,
  readIfThere,
  realFolder,
  removeFile,
  removeIfEmpty,
} from '../../../platform/files.ts';
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
    { file },
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

/** Takes back plans that were carried out, the last one first, and the folders that they made. */
function takeBack(done: readonly FilePlan[], notes: Notes): void {
  for (const plan of done.toReversed()) {
    write({ ...plan, before: plan.after, after: plan.before });
    if (plan.action === 'create') foldersOf(plan.file, Object.keys(plan.notes), notes).forEach(removeIfEmpty);
  }
}

/** Writes every file, or none: where one cannot be written, those before it get their bytes back. */
function writeAll(plans: readonly FilePlan[], notes: Notes): void {
  const done: FilePlan[] = [];
  for (const plan of plans) {
    if (plan.action === 'none') continue;
    try {
      write(plan);
      done.push(plan);
    } catch (error) {
      takeBack(done, notes);
      if (error instanceof PactError) throw error;
      throw new PactError(
        'PERMISSION_DENIED',
        `the file cannot be written: ${messageOf(error)}`,
        'Nothing was changed. Make the file and its folder writable, then run the command again.',
        { file: plan.file },
        { cause: error },
      );
    }
  }
}

/**
 * Carries plans out: the notes first, so that an installation cut short can still be undone, then file by file, each
 * in one step. Returns the folders that were made for files that are gone again. Throws a PactError where a file cannot
 * be written; then all are as they were.
 */
export function applyPlans(plans: readonly FilePlan[], userFolder: string): string[] {
  const before = readNotes(userFolder);
  const changes = plans.flatMap(({ notes }) => Object.entries(notes));
  const added = changes.flatMap(([key, note]): [string, FileNote][] => (note ? [[key, note]] : []));
  const now = { ...before, ...Object.fromEntries(added) };
  if (JSON.stringify(now) !== JSON.stringify(before)) writeNotes(userFolder, now);
  try {
    writeAll(plans, now);
  } catch (error) {
    writeNotes(userFolder, before);
    throw error;
  }
  const forgotten = new Set(changes.flatMap(([key, note]) => (note ? [] : [key])));
  const left = Object.entries(before).filter(([key]) => !forgotten.has(key));
  if (added.length === 0 && left.length < Object.keys(before).length)
    writeNotes(userFolder, Object.fromEntries(left));
  return plans.flatMap(({ action, file, notes }) =>
    action === 'remove' ? foldersOf(file, Object.keys(notes), before) : [],
  );
}
