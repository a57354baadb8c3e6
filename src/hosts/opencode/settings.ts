import { opencodeFootprint } from '../../core/footprints/opencode.ts';
import { isObject, type JsonObject } from '../../core/json.ts';
import { readIfThere } from '../../platform/files.ts';
import type { PluginWiring } from '../shared/in-process/bridge.ts';
import { homePlace } from '../shared/install/home-place.ts';
import type { Machine, Scope } from '../shared/install/installer.ts';
import { valueAt } from '../shared/install/json-edit.ts';

/** Name of the plugin's bundle, by which an entry is known for ours. */
export const BUNDLE = 'opencode-plugin.mjs';

/** A settings file as we can read it: strict JSON. `value` is null where there is none, or one with comments. */
export interface Settings {
  readonly file: string;
  readonly exists: boolean;
  readonly value: JsonObject | null;
  /** Our plugin stands in it, be it readable or not. */
  readonly namesUs: boolean;
}

function read(file: string): Settings {
  let text: string | undefined;
  try {
    text = readIfThere(file)?.toString('utf8');
    if (text === undefined) return { file, exists: false, value: null, namesUs: false };
    const value = valueAt({ text, file }, []);
    return { file, exists: true, value: isObject(value) ? value : null, namesUs: oursIn(value).length > 0 };
  } catch {
    return { file, exists: true, value: null, namesUs: text?.includes(`/${BUNDLE}`) ?? false };
  }
}

/**
 * The host's settings files of a scope, in the order that it merges them: later ones win (its `config` module). None for
 * a project scope where no project is meant.
 */
export function settingsOf(machine: Machine, scope: Scope): Settings[] {
  const { project } = machine;
  const user = homePlace(opencodeFootprint, machine, '.config/opencode');
  const folders = scope === 'user' ? [user] : project === null ? [] : [project, `${project}/.opencode`];
  return folders.flatMap((folder) => [read(`${folder}/opencode.json`), read(`${folder}/opencode.jsonc`)]);
}

/** Our plugin as a settings file names it: its bundle, and what it is to be told. */
export interface OurEntry {
  readonly at: number;
  readonly bundle: string;
  readonly wiring: PluginWiring;
}

/** Entries of ours in a file's list of plugins. */
export function oursIn(value: unknown): OurEntry[] {
  const plugins = isObject(value) && Array.isArray(value.plugin) ? value.plugin : [];
  return plugins.flatMap((entry: unknown, at) => {
    const [bundle, wiring] = Array.isArray(entry) ? entry : [entry];
    if (typeof bundle !== 'string' || !bundle.endsWith(`/${BUNDLE}`)) return [];
    return [{ at, bundle, wiring: (isObject(wiring) ? wiring : {}) as unknown as PluginWiring }];
  });
}

/**
 * The file that an installation belongs into: where it is already, else the first that can be edited and that no file
 * with comments comes after in the same folder. `.opencode/` is the second choice, for the host installs packages there.
 */
export function targetFile(machine: Machine, scope: Scope): string | null {
  const files = settingsOf(machine, scope);
  const has = files.find(({ namesUs }) => namesUs);
  if (has) return has.file;
  const plain = files.filter(({ file }) => file.endsWith('.json'));
  const free = plain.find(
    ({ file, exists, value }) =>
      (!exists || value !== null) && files.some((one) => one.file === `${file}c` && !one.exists),
  );
  return (free ?? plain[0])?.file ?? null;
}
