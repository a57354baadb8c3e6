import { parse } from 'smol-toml';
import { messageOf } from '../../../core/errors.ts';
import { isObject, type JsonObject } from '../../../core/json.ts';
import { exists, readIfThere } from '../../../platform/files.ts';
import type { Machine, Scope } from '../../install/installer.ts';
import { valueAt } from '../../install/json-edit.ts';

/** The host's folder in a home: `~/.codex`, or what CODEX_HOME names. */
export function userFolderOf({ home, env }: Machine): string {
  const own = env('CODEX_HOME');
  return own === undefined || own === '' ? `${home}/.codex` : own;
}

/** The folder of one scope; null for a project where none is meant, and for a scope that the host does not have. */
export function folderOf(machine: Machine, scope: Scope): string | null {
  if (scope === 'user') return userFolderOf(machine);
  return scope === 'project' && machine.project !== null ? `${machine.project}/.codex` : null;
}

/** A file as the host reads it. `value` is null when it is missing or unusable; `fault` says why. */
export interface ReadFile {
  readonly file: string;
  readonly value: JsonObject | null;
  readonly fault: string | null;
}

function read(file: string, parser: (text: string) => unknown): ReadFile {
  try {
    const bytes = readIfThere(file);
    if (bytes === null) return { file, value: null, fault: null };
    const value = parser(bytes.toString('utf8'));
    return isObject(value)
      ? { file, value: value as JsonObject, fault: null }
      : { file, value: null, fault: 'the file is no JSON object' };
  } catch (error) {
    return { file, value: null, fault: messageOf(error) };
  }
}

/** `hooks.json` of a folder. One handler of a kind the host does not know makes it drop the whole file. */
export function readHooks(folder: string): ReadFile {
  const file = `${folder}/hooks.json`;
  return read(file, (text) => valueAt({ text, file }, []));
}

/** `config.toml` of a folder, or another file of its format. */
export function readConfig(folder: string, name = 'config.toml'): ReadFile {
  return read(`${folder}/${name}`, parse);
}

/** The level of trust that a project has in the user's settings, or null; the host looks at its repository too. */
export function trustOf(machine: Machine): string | null {
  const projects = readConfig(userFolderOf(machine)).value?.projects;
  if (!isObject(projects) || machine.project === null) return null;
  for (let folder = machine.project; folder !== ''; folder = folder.slice(0, folder.lastIndexOf('/'))) {
    const known = projects[folder];
    if (isObject(known) && typeof known.trust_level === 'string') return known.trust_level;
    // Above the repository no trust reaches down.
    if (exists(`${folder}/.git`)) break;
  }
  return null;
}
