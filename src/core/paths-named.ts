import { fileURLToPath } from 'node:url';
import { messageOf, PactError } from './errors.ts';
import { isObject, type JsonObject } from './json.ts';
import type { NamedTarget, TargetRole } from './tool-call.ts';

/** Argument names under which foreign tools name a file, as {@link plainKey} spells them. */
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

/** Normalizes `file_path`, `filePath`, `File-Path` and other spellings to one. */
function plainKey(key: string): string {
  return key.toLowerCase().replace(/[^a-z]/g, '');
}

/** Argument names whose values are often a lone slash that is no folder. */
const SLASH_KEYS = new Set([
  'separator',
  'sep',
  'delimiter',
  'delim',
  'joiner',
  'prefix',
  'route',
  'endpoint',
]);
/** The longest path that Linux takes (PATH_MAX); longer text names no file. */
const MAX_PATH = 4096;

/**
 * Whether a URL parser reads a value as a `file:` URI. It leaves out blanks before it, and tabs and line breaks anywhere
 * (WHATWG URL, §4.4).
 */
export function isFileUri(value: string): boolean {
  return /^[\u0000-\u0020]*f[\t\n\r]*i[\t\n\r]*l[\t\n\r]*e[\t\n\r]*:/i.test(value);
}

/** The file that a `file:` URI names (RFC 8089). One that does not parse, or names a host, has a `problem`. */
function fileOf(uri: string): Pick<NamedTarget, 'path' | 'problem'> {
  const unreadable = (why: string) => ({
    path: uri.slice(0, MAX_PATH),
    problem: `it is a file: URI that cannot be read (${why})`,
  });
  if (uri.length > MAX_PATH) return unreadable(`it is longer than ${MAX_PATH} characters`);
  // A program that only strips the scheme would apply `..` to what a parser reads as the query.
  if (/[?#].*\.\./s.test(uri)) return unreadable('its query goes up with `..`');
  try {
    return { path: fileURLToPath(new URL(uri)) };
  } catch (error) {
    return unreadable(messageOf(error));
  }
}

/** The target that a value under an argument for paths names; null for the address of something that is no file. */
export function targetNamed(value: string, role: TargetRole): NamedTarget | null {
  if (isFileUri(value)) return { ...fileOf(value), role };
  return value === '' || /^[a-z][a-z0-9+.-]*:\/\//i.test(value) ? null : { path: value, role };
}

/**
 * The target that a value under any argument may name: an absolute path, one that begins with `~`, or a `file:` URI.
 * This is a guess: plain text can begin like that too.
 */
function targetGuessed(value: string): NamedTarget | null {
  if (isFileUri(value)) return { ...fileOf(value), role: 'write' };
  const text = value.trim();
  if (text.length > MAX_PATH || !/^(?:\/|~\/|~$|~[A-Za-z_][\w.-]*\/)/.test(text) || /[\n\r]/.test(text))
    return null;
  const ofOther = /^~[^/]/.test(text) ? { problem: 'it begins with the home folder of another user' } : {};
  return { path: text, role: 'write', guess: true, ...ofOther };
}

/** Limit of paths in one call. Each one is resolved on disk while the call waits. */
const MAX_PATHS = 5_000;

/** Returns the targets unchanged. Throws a PactError if there are more than can be checked (F-27). */
export function bounded(targets: readonly NamedTarget[]): readonly NamedTarget[] {
  if (targets.length <= MAX_PATHS) return targets;
  throw new PactError(
    'INVALID_INPUT',
    `Policy Violation: the call names more than ${MAX_PATHS} paths, too many to be checked`,
    `Name ${MAX_PATHS} at most in one call.`,
  );
}

function collect(value: unknown, key: string, names: ReadonlySet<string>, found: NamedTarget[]): void {
  if (typeof value === 'string') {
    const isSlash = value === '/' && SLASH_KEYS.has(key);
    const target = names.has(key) ? targetNamed(value, 'write') : isSlash ? null : targetGuessed(value);
    if (target !== null && found.push(target) > MAX_PATHS) bounded(found);
  } else if (Array.isArray(value)) {
    for (const one of value) collect(one, key, names, found);
  } else if (isObject(value)) {
    for (const name of Object.keys(value)) {
      // An object can map paths to their new content, so its keys count as well.
      collect(name, '', names, found);
      collect(value[name], plainKey(name), names, found);
    }
  }
}

/**
 * Paths that an undeclared tool's arguments name, in lists and nested objects too: each counts as a write. Under the
 * usual names of arguments every string is one; under others, at any depth, what can only lie outside the workspace
 * (F-24). Throws a RangeError when the arguments are nested too deeply to be read, a PactError on too many paths.
 */
export function pathsNamed(input: JsonObject): NamedTarget[] {
  const found: NamedTarget[] = [];
  collect(input, '', PATH_KEYS, found);
  return found;
}

/** Paths that a receiver of these values may read: absolute paths and `file:` URIs, under any name. */
export function pathsRead(input: JsonObject): NamedTarget[] {
  const found: NamedTarget[] = [];
  collect(input, '', new Set(), found);
  return found.map((target) => ({ ...target, role: 'read' }));
}
