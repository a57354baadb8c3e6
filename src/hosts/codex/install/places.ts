import { parse } from 'smol-toml';
import { codexFootprint } from '../../../core/footprints/codex.ts';
import { isObject } from '../../../core/json.ts';
import { exists } from '../../../platform/files.ts';
import { homePlace } from '../../shared/install/home-place.ts';
import type { Machine, Scope } from '../../shared/install/installer.ts';
import { valueAt } from '../../shared/install/json-edit.ts';
import { type ParsedFile, readParsed } from '../../shared/install/parsed-file.ts';

/** The host's folder in a home: `~/.codex`, or what CODEX_HOME names. */
export function userFolderOf(machine: Machine): string {
  return homePlace(codexFootprint, machine, '.codex');
}

/** The folder of one scope; null for a project where none is meant, and for a scope that the host does not have. */
export function folderOf(machine: Machine, scope: Scope): string | null {
  if (scope === 'user') return userFolderOf(machine);
  return scope === 'project' && machine.project !== null ? `${machine.project}/.codex` : null;
}

/** `hooks.json` of a folder. One handler of a kind the host does not know makes it drop the whole file. */
export function readHooks(folder: string): ParsedFile {
  const file = `${folder}/hooks.json`;
  return readParsed(file, (text) => valueAt({ text, file }, []));
}

/** `config.toml` of a folder, or another file of its format. */
export function readConfig(folder: string, name = 'config.toml'): ParsedFile {
  return readParsed(`${folder}/${name}`, parse);
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
