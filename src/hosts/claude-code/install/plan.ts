import { PactError } from '../../../core/errors.ts';
import { exists, isDirectory, readIfThere } from '../../../platform/files.ts';
import { valueAt } from './json-edit.ts';
import { add, type Entry, hookEntries, isInstalled, keptIn, serverEntries, strip } from './merge.ts';
import { type Places, type Scope, serverPlace, settingsFile } from './places.ts';
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
  /** What to remember; null to forget it. */
  readonly notes: Readonly<Record<string, FileNote | null>>;
}

interface Target {
  readonly file: string;
  /** Where MCP servers stand in it; null for a file of hooks. */
  readonly servers: readonly string[] | null;
}

/** One file can hold servers of several scopes, each undone for itself. */
function noteKey({ file, servers }: Target): string {
  return servers === null ? file : `${file}#${servers.join('.')}`;
}

const NEW_FILE = '{}\n';

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
  const known = notes[noteKey(target)];
  if (isInstalled(json, entries, servers)) {
    const note = known ?? { created: false, madeFolder: false, kept: [] };
    return { file, action: 'none', before, after: before, entries, notes: { [noteKey(target)]: note } };
  }
  const clean = strip(json, known?.kept ?? [], servers);
  const note = {
    created: before === null || (known?.created ?? false),
    madeFolder: (before === null && isFolderMissing(file)) || (known?.madeFolder ?? false),
    kept: keptIn(clean, entries),
  };
  const after = add(clean, entries).text;
  const action = before === null ? 'create' : 'change';
  return { file, action, before, after, entries, notes: { [noteKey(target)]: note } };
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

function planRemoving(file: string, targets: readonly Target[], notes: Notes): FilePlan {
  const before = readText(file);
  const forgotten = Object.fromEntries(targets.map((target) => [noteKey(target), null]));
  if (before === null) return { file, action: 'none', before, after: null, entries: [], notes: forgotten };
  const known = targets.flatMap((target) => notes[noteKey(target)] ?? []);
  const { text } = targets.reduce(
    (json, target) => strip(json, notes[noteKey(target)]?.kept ?? [], target.servers),
    { text: before, file },
  );
  const isOurs = text === NEW_FILE && known.some(({ created }) => created);
  const action = isOurs ? 'remove' : text === before ? 'none' : 'change';
  return { file, action, before, after: isOurs ? null : text, entries: [], notes: forgotten };
}

/** The files that uninstalling would write or remove. */
export function planUninstall(places: Places, scopes: readonly Scope[], notes: Notes): FilePlan[] {
  const targets = scopes.flatMap((scope): Target[] => {
    const settings = settingsFile(places, scope);
    const server = serverPlace(places, scope);
    return [
      ...(settings === null ? [] : [{ file: settings, servers: null }]),
      ...(server === null ? [] : [{ file: server.file, servers: server.path }]),
    ];
  });
  const files = [...new Set(targets.map(({ file }) => file))];
  return files.map((file) =>
    planRemoving(
      file,
      targets.filter((target) => target.file === file),
      notes,
    ),
  );
}
