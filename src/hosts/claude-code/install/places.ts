import type { JsonObject } from '../../../core/json.ts';
import { listNames } from '../../../platform/files.ts';
import { isEverywhere, type Scope } from '../../shared/install/installer.ts';
import { readObject } from '../../shared/install/json-file.ts';

/** Folders the host reads its settings from. `project` is null when only the user's files are meant. */
export interface Places {
  readonly project: string | null;
  /** `~/.claude`, or what CLAUDE_CONFIG_DIR names. */
  readonly user: string;
  /** `~/.claude.json`: the user's MCP servers, and per project its local ones and whether it is trusted. */
  readonly state: string;
  /** Folder of the settings that an administrator laid down. */
  readonly managed: string;
}

/** The host's places for a home folder (docs/hosts/claude-code.md). */
export function placesOf(
  project: string | null,
  home: string,
  configFolder: string | undefined,
  platform: string,
): Places {
  const own = configFolder === undefined || configFolder === '' ? null : configFolder;
  return {
    project,
    user: own ?? `${home}/.claude`,
    state: own === null ? `${home}/.claude.json` : `${own}/.claude.json`,
    managed: platform === 'darwin' ? '/Library/Application Support/ClaudeCode' : '/etc/claude-code',
  };
}

/** The file whose hooks a scope means; null for a project scope where no project is meant. */
export function settingsFile(places: Places, scope: Scope): string | null {
  if (scope === 'managed') return `${places.managed}/managed-settings.json`;
  if (scope === 'user') return `${places.user}/settings.json`;
  if (places.project === null) return null;
  return `${places.project}/.claude/${scope === 'local' ? 'settings.local.json' : 'settings.json'}`;
}

/**
 * Where a scope's MCP servers stand. A local one is kept in the user's state, so that no shared file changes; so is the
 * one beside managed hooks, because a managed list of servers would shut out every other server.
 */
export function serverPlace(places: Places, scope: Scope): { file: string; path: readonly string[] } | null {
  if (isEverywhere(scope)) return { file: places.state, path: ['mcpServers'] };
  if (places.project === null) return null;
  if (scope === 'project') return { file: `${places.project}/.mcp.json`, path: ['mcpServers'] };
  return { file: places.state, path: ['projects', places.project, 'mcpServers'] };
}

/** One settings file as the host sees it. `value` is null when it is missing or unusable; `fault` says why. */
export interface SettingsFile {
  readonly level: Scope;
  readonly file: string;
  readonly value: JsonObject | null;
  readonly fault: string | null;
}

/** Every settings file, the strongest first: for a plain key the first that has it wins. Hooks of all are merged. */
export function readSettings(places: Places): SettingsFile[] {
  const dropIns = `${places.managed}/managed-settings.d`;
  const managed = [
    ...listNames(dropIns)
      .filter((name) => name.endsWith('.json'))
      .reverse()
      .map((name) => `${dropIns}/${name}`),
    `${places.managed}/managed-settings.json`,
  ];
  const files: { level: SettingsFile['level']; file: string | null }[] = [
    ...managed.map((file) => ({ level: 'managed' as const, file })),
    ...(['local', 'project', 'user'] as const).map((level) => ({ level, file: settingsFile(places, level) })),
  ];
  return files.flatMap(({ level, file }) => (file === null ? [] : [{ level, file, ...readObject(file) }]));
}

/** The file that decides a plain key, and its value there. */
export function deciding(
  settings: readonly SettingsFile[],
  key: string,
): { file: string; value: unknown } | null {
  const found = settings.find(({ value }) => value !== null && Object.hasOwn(value, key));
  return found ? { file: found.file, value: found.value?.[key] } : null;
}
