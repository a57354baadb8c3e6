import { isObject } from '../../core/json.ts';
import type { Machine, Scope } from '../shared/install/installer.ts';
import { settingsOf } from './settings.ts';

/**
 * Permissions that the host merges after the seal of this file, so that what they allow runs where our plugin does not
 * load; each as a sentence for a human.
 */
export function leaksOf(machine: Machine, scope: Scope, sealed: string): string[] {
  const all =
    scope === 'user'
      ? [...settingsOf(machine, 'user'), ...settingsOf(machine, 'project')]
      : settingsOf(machine, scope);
  const later = all.slice(all.findIndex(({ file }) => file === sealed) + 1);
  const after = later.flatMap(({ file, exists, value }) => {
    if (!exists) return [];
    if (value === null)
      return [
        `${file} cannot be read as strict JSON: permissions in it would hold where the plugin does not load`,
      ];
    if (value.permission === undefined) return [];
    return [`${file} sets permissions after the seal: what they allow runs where the plugin does not load`];
  });
  const agents = all.flatMap(({ file, value }) =>
    Object.entries(isObject(value?.agent) ? value.agent : {}).flatMap(([name, agent]) =>
      isObject(agent) && agent.permission !== undefined
        ? [`${file} gives the agent ${name} permissions of its own: they hold where the plugin does not load`]
        : [],
    ),
  );
  return [...after, ...agents];
}
