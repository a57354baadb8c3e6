import { isObject } from '../../../core/json.ts';
import { replaceFile } from '../../../platform/durable-files.ts';
import { readRegular, removeFile } from '../../../platform/files.ts';
import { makePrivateFolder } from '../../../platform/list-folder.ts';
import type { FileNote } from './part.ts';

export type Notes = Readonly<Record<string, FileNote>>;

/** Where the notes are: in the user's folder, for settings are this machine's matter. */
function notesFile(userFolder: string): string {
  return `${userFolder}/installed.json`;
}

function toNote(value: unknown): FileNote | null {
  if (!isObject(value) || !Array.isArray(value.kept)) return null;
  return {
    created: value.created === true,
    madeFolders: typeof value.madeFolders === 'number' ? value.madeFolders : 0,
    kept: value.kept.filter((one) => typeof one === 'string'),
  };
}

/** The notes of earlier installations. If they are lost or damaged, only the undoing becomes less exact. */
export function readNotes(userFolder: string): Notes {
  try {
    const bytes = readRegular(notesFile(userFolder), 1 << 20);
    const value: unknown = JSON.parse(bytes?.toString('utf8') ?? '{}');
    const files = isObject(value) && isObject(value.files) ? value.files : {};
    return Object.fromEntries(
      Object.entries(files).flatMap(([file, note]) => {
        const known = toNote(note);
        return known ? [[file, known]] : [];
      }),
    );
  } catch {
    return {};
  }
}

/** Keeps the notes; with none left their file goes too. */
export function writeNotes(userFolder: string, notes: Notes): void {
  const file = notesFile(userFolder);
  if (Object.keys(notes).length === 0) {
    removeFile(file);
    return;
  }
  makePrivateFolder(userFolder);
  replaceFile(file, `${JSON.stringify({ files: notes }, null, 2)}\n`, { durable: true, mode: 0o600 });
}
