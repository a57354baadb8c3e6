import { PactError } from '../../../core/errors.ts';
import { isObject } from '../../../core/json.ts';
import { installedTwice, switchedOff } from '../../shared/install/conflicts.ts';
import type { Machine, Scope } from '../../shared/install/installer.ts';
import type { ParsedFile } from '../../shared/install/parsed-file.ts';
import { HOST } from '../tools.ts';
import { folderOf, readConfig, readHooks, trustOf, userFolderOf } from './places.ts';
import { type Registered, registeredIn } from './registered.ts';

/** The version whose payloads, answers and records the adapter was made from. */
export const VERSION_FLOOR = '0.169.0';
/** What an administrator laid down. */
const MANAGED = '/etc/codex';

/** `config.toml` of every level, the strongest first. */
export function configsOf(machine: Machine): ParsedFile[] {
  const folders = [folderOf(machine, 'project'), userFolderOf(machine)];
  return folders.flatMap((folder) => (folder === null ? [] : [readConfig(folder)]));
}

/** `hooks.json` of every level. */
export function hookFilesOf(machine: Machine): ParsedFile[] {
  const folders = new Set([folderOf(machine, 'project'), userFolderOf(machine)]);
  return [...folders].flatMap((folder) => (folder === null ? [] : [readHooks(folder)]));
}

/** The file that switches hooks off, or null. */
export function switchedOffBy(machine: Machine): string | null {
  const off = configsOf(machine).find(({ value }) => {
    const features = isObject(value?.features) ? value.features : {};
    return features.hooks === false;
  });
  return off?.file ?? null;
}

/** The administrator's file that admits managed hooks only, or null. */
export function managedOnlyBy(): string | null {
  const file = `${MANAGED}/requirements.toml`;
  const { value } = readConfig(MANAGED, 'requirements.toml');
  return value?.allow_managed_hooks_only === true ? file : null;
}

/** All handlers of ours in all files, which the host merges. */
export function allRegistered(machine: Machine): Registered[] {
  return hookFilesOf(machine).flatMap(({ file, value }) => registeredIn(file, value));
}

/** Refuses an installation that the host would ignore, or that would count every call twice. */
export function assertInstallable(machine: Machine, scope: Scope): void {
  const off = switchedOffBy(machine);
  if (off !== null) throw switchedOff('features.hooks', off);
  const managed = managedOnlyBy();
  if (managed !== null)
    throw new PactError(
      'CONFLICT',
      'only hooks of an administrator count here (allow_managed_hooks_only)',
      'Ask the administrator to add the hooks that `pactclaw install codex --print` shows.',
      { file: managed },
    );
  const own = folderOf(machine, scope);
  const twice = allRegistered(machine).find(({ file }) => file !== `${own}/hooks.json`);
  if (twice) throw installedTwice(HOST, twice.file);
}

/** What to do about a project that the host does not trust, or null. */
export function distrust(machine: Machine): string | null {
  if (machine.project === null) return null;
  const level = trustOf(machine);
  if (level === 'trusted') return null;
  const what = level === null ? 'does not trust' : `was told not to trust (${level})`;
  return `Codex ${what} ${machine.project}: it loads no hooks of the project, and its agents are NOT governed. Start \`codex\` there once and trust the folder, or use \`codex exec --trust\`.`;
}
