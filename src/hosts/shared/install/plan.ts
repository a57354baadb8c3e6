import { PactError } from '../../../core/errors.ts';
import { exists, isDirectory, readIfThere } from '../../../platform/files.ts';
import type { Entry } from './merge.ts';
import type { FileNote, Part } from './part.ts';
import type { Notes } from './record.ts';

/** What happens to one file. `before` and `after` are null where there is no file. */
export interface FilePlan {
  readonly file: string;
  readonly action: 'create' | 'change' | 'remove' | 'none';
  readonly before: string | null;
  readonly after: string | null;
  readonly executable: boolean;
  /** Entries that belong into it; none when uninstalling. */
  readonly entries: readonly Entry[];
  /** What to remember; null to forget it. */
  readonly notes: Readonly<Record<string, FileNote | null>>;
}

function readText(file: string): string | null {
  const bytes = readIfThere(file);
  if (bytes === null) {
    if (!exists(file)) return null;
    throw new PactError('NOT_FOUND', 'the file is a link that leads nowhere', 'Repair or remove it.', {
      file,
    });
  }
  const text = bytes.toString('utf8');
  if (Buffer.from(text).equals(bytes)) return text;
  throw new PactError('PARSE_ERROR', 'the file is not UTF-8', 'Correct it by hand; it was left as it is.', {
    file,
  });
}

/** How many folders on the way to a file are not there yet. */
function foldersMissing(file: string): number {
  const folder = file.slice(0, file.lastIndexOf('/'));
  return folder === '' || isDirectory(folder) ? 0 : 1 + foldersMissing(folder);
}

function byFile(parts: readonly Part[]): Map<string, Part[]> {
  const files = new Map<string, Part[]>();
  for (const part of parts) files.set(part.file, [...(files.get(part.file) ?? []), part]);
  return files;
}

function planAdding(file: string, parts: readonly Part[], notes: Notes): FilePlan {
  const before = readText(file);
  let text = before ?? parts[0]?.blank ?? '';
  const remembered: Record<string, FileNote> = {};
  for (const part of parts) {
    const known = notes[part.key];
    const added = part.add(text, known ?? null);
    text = added?.text ?? text;
    remembered[part.key] = {
      created: (added !== null && before === null) || (known?.created ?? false),
      madeFolders: Math.max(
        added !== null && before === null ? foldersMissing(file) : 0,
        known?.madeFolders ?? 0,
      ),
      kept: added?.kept ?? known?.kept ?? [],
    };
  }
  const action = text === before ? 'none' : before === null ? 'create' : 'change';
  return {
    file,
    action,
    before,
    after: text,
    executable: parts.some(({ executable }) => executable === true),
    entries: parts.flatMap(({ entries }) => entries),
    notes: remembered,
  };
}

/** The files that installing would write, with the bytes they would hold. Throws before anything is touched. */
export function planInstall(parts: readonly Part[], notes: Notes): FilePlan[] {
  return [...byFile(parts)].map(([file, own]) => planAdding(file, own, notes));
}

function planRemoving(file: string, parts: readonly Part[], notes: Notes): FilePlan {
  const before = readText(file);
  const plan = {
    file,
    before,
    executable: parts.some(({ executable }) => executable === true),
    entries: [],
    notes: Object.fromEntries(parts.map(({ key }) => [key, null])),
  };
  if (before === null) return { ...plan, action: 'none', after: null };
  const known = parts.flatMap(({ key }) => notes[key] ?? []);
  // What was added last is undone first.
  const text = parts.reduceRight((now, part) => part.strip(now, notes[part.key] ?? null), before);
  const wasOurs =
    known.some(({ created }) => created) || (text !== before && parts.some(({ whole }) => whole));
  if (text === parts[0]?.blank && wasOurs) return { ...plan, action: 'remove', after: null };
  return { ...plan, action: text === before ? 'none' : 'change', after: text };
}

/** The files that uninstalling would write or remove. */
export function planUninstall(parts: readonly Part[], notes: Notes): FilePlan[] {
  return [...byFile(parts)].map(([file, own]) => planRemoving(file, own, notes));
}
