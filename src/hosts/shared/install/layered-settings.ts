import { dirname } from 'node:path/posix';
import type { LayeredTable } from '../layered-table.ts';
import { homePlace } from './home-place.ts';
import type { Machine, Scope } from './installer.ts';
import { SERVER } from './server.ts';
import { decidingFile, readSettingsFile, type SettingsFile, settingAt } from './settings-files.ts';

/** Where a host keeps its settings: an administrator's, a project's, the user's, an administrator's defaults. */
export interface Places {
  readonly project: string | null;
  readonly user: string;
  readonly system: string;
  readonly systemDefaults: string;
  /** Settings file of the project; null when only the user's files are meant. */
  readonly projectFile: string | null;
  /** The folders that the human trusts. */
  readonly trusted: string;
}

export function placesOf({ footprint, variables }: LayeredTable, machine: Machine): Places {
  const { project, platform, env } = machine;
  const [folder = ''] = footprint.names;
  const [ofLinux, ofMac] = footprint.system;
  const user = homePlace(footprint, machine, folder);
  const system =
    env(`${variables}_SYSTEM_SETTINGS_PATH`) || `${platform === 'darwin' ? ofMac : ofLinux}/settings.json`;
  return {
    project,
    user,
    system,
    systemDefaults: env(`${variables}_SYSTEM_DEFAULTS_PATH`) || `${dirname(system)}/system-defaults.json`,
    projectFile: project === null ? null : `${project}/${folder}/settings.json`,
    trusted: env(`${variables}_TRUSTED_FOLDERS_PATH`) || `${user}/trustedFolders.json`,
  };
}

/** The settings file of a scope; null for a project scope where no project is meant. */
export function settingsFile({ projectFile, user }: Places, scope: Scope): string | null {
  return scope === 'user' ? `${user}/settings.json` : projectFile;
}

/** Every settings file, the strongest first: for a plain setting the first that has it wins. Hooks of all are merged. */
export function readSettings({ system, projectFile, user, systemDefaults }: Places): SettingsFile[] {
  return [
    readSettingsFile('system', system),
    ...(projectFile === null ? [] : [readSettingsFile('project', projectFile)]),
    readSettingsFile('user', `${user}/settings.json`),
    readSettingsFile('system defaults', systemDefaults),
  ];
}

/**
 * Whether the human has told the host to trust a folder: the longest rule that covers it counts. Null where none does;
 * `byDefault` is what the host then assumes of the whole feature. Variables and an editor may say otherwise at run time.
 */
export function isTrusted(
  places: Places,
  settings: readonly SettingsFile[],
  folder: string,
  byDefault: boolean,
): boolean | null {
  // Only files outside the project count: a project cannot trust itself.
  const own = settings.filter(({ level }) => level !== 'project');
  const asked = decidingFile(own, ['security', 'folderTrust', 'enabled'])?.value ?? byDefault;
  if (asked === false) return true;
  let longest = '';
  let level: unknown;
  const rules = readSettingsFile('trust', places.trusted).value ?? {};
  for (const [rule, value] of Object.entries(rules)) {
    const covers = value === 'TRUST_PARENT' ? dirname(rule) : rule;
    const inside = folder === covers || folder.startsWith(covers === '/' ? '/' : `${covers}/`);
    if (inside && rule.length > longest.length) [longest, level] = [rule, value];
  }
  return level === undefined ? null : level === 'TRUST_FOLDER' || level === 'TRUST_PARENT';
}

/** The file that keeps our server from starting, or null. */
export function serverOffBy(settings: readonly SettingsFile[]): string | null {
  const off = settings.find(({ value }) => {
    const [allowed, excluded] = ['allowed', 'excluded'].map((key) => settingAt(value, ['mcp', key]));
    return (
      (Array.isArray(excluded) && excluded.includes(SERVER)) ||
      (Array.isArray(allowed) && !allowed.includes(SERVER))
    );
  });
  return off?.file ?? null;
}
