import { PactError } from '../../../core/errors.ts';
import { exists, isDirectory, readIfThere } from '../../../platform/files.ts';
import { valueAt } from './json-edit.ts';
import { add, type Entry, hookEntries, isInstalled, keptIn, serverEntries, strip } from './merge.ts';
import { type Places, SCOPES, type Scope, serverPlace, settingsFile } from './places.ts';
import type { FileNote, Notes } from './record.ts';
import { isOurServer, SERVER, type Wiring } from './wiring.ts';

/** What happens to one file. `before` and `after` are null where there is no file. */
export interface FilePlan {
  readonly file: string;
  readonly action: 'create' | 'change' | 'remove' | 'none';
  readonly before: string | null;
  readonly after: string | null;
  /** Entries that belong into it; none when uninstalling. */
  readonly entries: readonly Entry[];
  /** What to remember of it; null to forget it. */
  readonly note: FileNote | null;
}

interface Target {
  readonly file: string;
  /** Where MCP servers stand in it; null for a file of hooks. */
  readonly servers: readonly string[] | null;
}

const NEW_FILE = '{}\n';

function readText(file: string): string | null {
  const bytes = readIfThere(file);
  if (bytes === null) {
    if (!exists(file)) return null;
    throw new PactError('NOT_FOUND', 'the file is a link that leads nowhere', 'Repair or remove it.', { file });
  }
  const text = bytes.toString('utf8');
  if (Buffer.from(text).equals(bytes)) return text;
  throw new PactError('PARSE_ERROR', 'the file is not UTF-8', 'Correct it by hand; it was left as it is.', { file });
}

function isFolderMissing(file: string): boolean {
  return !isDirectory(file.slice(0, file.lastIndexOf('/')));
}

/** A server of the same name that is not ours stays: taking its place would break what somebody relies on. */
function assertNameFree(text: string, { file, servers }: Target): void {
  if (servers === null) return;
  const server = valueAt({ text, file }, [...servers, SERVER]);
  if (server === undefined || isOurServer(server)) return;
  throw new PactError(
    'CONFLICT',
    `another MCP server is named ${SERVER} here`,
    'Rename or remove it, then install again.',
    { file },
  );
}

function planAdding(target: Target, entries: readonly Entry[], notes: Notes): FilePlan {
  const { file, servers } = target;
  const before = readText(file);
  const json = { text: before ?? NEW_FILE, file };
  assertNameFree(json.text, target);
  const known = notes[file];
  if (isInstalled(json, entries, servers)) {
    const note = known ?? { created: false, madeFolder: false, kept: [] };
    return { file, action: 'none', before, after: before, entries, note };
  }
  const clean = strip(json, known?.kept ?? [], servers);
  const note = {
    created: before === null || (known?.created ?? false),
    madeFolder: (before === null && isFolderMissing(file)) || (known?.madeFolder ?? false),
    kept: keptIn(clean, entries),
  };
  const after = add(clean, entries).text;
  return { file, action: before === null ? 'create' : 'change', before, after, entries, note };
}

/** The files that installing would write, with the bytes they would hold. Throws before anything is touched. */
export function planInstall(places: Places, scope: Scope, wiring: Wiring, notes: Notes): FilePlan[] {
  const settings = settingsFile(places, scope);
  const server = serverPlace(places, scope);
  if (settings === null || server === null)
    throw new PactError('INVALID_INPUT', 'no project is named', 'Name it with --workspace DIR.');
  return [
    planAdding({ file: settings, servers: null }, hookEntries(wiring, scope === 'project'), notes),
    planAdding({ file: server.file, servers: server.path }, serverEntries(wiring, server.path), notes),
  ];
}

function planRemoving({ file, servers }: Target, notes: Notes): FilePlan[] {
  const before = readText(file);
  if (before === null) return [];
  const known = notes[file];
  const { text } = strip({ text: before, file }, known?.kept ?? [], servers);
  const isOurs = known?.created === true && text === NEW_FILE;
  const action = isOurs ? 'remove' : text === before ? 'none' : 'change';
  return [{ file, action, before, after: isOurs ? null : text, entries: [], note: null }];
}

/** The files that uninstalling would write or remove. */
export function planUninstall(places: Places, scopes: readonly Scope[], notes: Notes): FilePlan[] {
  return SCOPES.filter((scope) => scopes.includes(scope)).flatMap((scope) => {
    const settings = settingsFile(places, scope);
    const server = serverPlace(places, scope);
    return [
      ...(settings === null ? [] : planRemoving({ file: settings, servers: null }, notes)),
      ...(server === null ? [] : planRemoving({ file: server.file, servers: server.path }, notes)),
    ];
  });
}
