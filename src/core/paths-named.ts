import { isObject, type JsonObject } from './json.ts';
import type { NamedTarget } from './tool-call.ts';

/** Argument names under which foreign tools name a file (hosts, §1.4), as {@link plainKey} spells them. */
const PATH_KEYS = new Set([
  'filepath',
  'path',
  'notebookpath',
  'filename',
  'file',
  'destination',
  'target',
  'targetfile',
  'outputpath',
  'outputfile',
  'paths',
  'files',
  'filepaths',
  'absolutepath',
  'relativepath',
  'uri',
  'dest',
  'newpath',
  'source',
  'src',
  'oldpath',
  'sourcepath',
  'destinationpath',
]);

/** One spelling for `file_path`, `filePath`, `File-Path` and what else servers call it. */
function plainKey(key: string): string {
  return key.toLowerCase().replace(/[^a-z]/g, '');
}

/** How deep a foreign tool's arguments are looked through; what lies deeper is left to the comparison afterwards. */
const MAX_DEPTH = 6;

function asPath(value: string): string | null {
  if (/^file:\/\//i.test(value)) {
    const path = value.slice('file://'.length).replace(/^localhost(?=\/)/i, '');
    try {
      return decodeURIComponent(path);
    } catch {
      return path;
    }
  }
  return value === '' || /^[a-z][a-z0-9+.-]*:\/\//i.test(value) ? null : value;
}

function collect(value: unknown, named: boolean, depth: number, found: string[]): void {
  if (typeof value === 'string') {
    const path = named ? asPath(value) : null;
    if (path !== null) found.push(path);
  } else if (depth > 0 && Array.isArray(value)) {
    for (const one of value) collect(one, named, depth - 1, found);
  } else if (depth > 0 && isObject(value)) {
    for (const [key, one] of Object.entries(value))
      collect(one, PATH_KEYS.has(plainKey(key)), depth - 1, found);
  }
}

/** Paths that an undeclared tool's arguments name, in lists and nested objects too: each counts as a write. */
export function pathsNamed(input: JsonObject): NamedTarget[] {
  const found: string[] = [];
  collect(input, false, MAX_DEPTH, found);
  return found.map((path) => ({ path, role: 'write' as const }));
}
