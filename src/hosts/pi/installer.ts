import { piFootprint } from '../../core/footprints/pi.ts';
import { readIfThere } from '../../platform/files.ts';
import { installedTwice } from '../shared/install/conflicts.ts';
import { homePlace } from '../shared/install/home-place.ts';
import type { HostInstaller, Machine, Scope } from '../shared/install/installer.ts';
import { NOTES } from '../shared/install/notes.ts';
import { isOurPlugin, pluginPart } from '../shared/install/plugin-part.ts';
import { HOST } from './names.ts';

/** Where the host looks for an extension of that scope (its docs/extensions.md); null where it has no such place. */
export function extensionFile(machine: Machine, scope: Scope): string | null {
  const folder =
    scope === 'user'
      ? homePlace(piFootprint, machine, '.pi/agent')
      : scope === 'project' && machine.project !== null
        ? `${machine.project}/.pi`
        : null;
  return folder === null ? null : `${folder}/extensions/pactclaw.js`;
}

function notes(scope: Scope): string[] {
  return [
    'An extension that cannot be loaded ends the client at its start; without the file, or with --no-extensions, nothing is governed.',
    scope === 'user'
      ? NOTES.everyProject
      : 'Start the client in the workspace folder itself: from a subfolder it loads no project extensions.',
    ...(scope === 'user'
      ? []
      : ['The file names paths of this machine; where others share the repository, keep it out of git.']),
  ];
}

/** Registers PactClaw with pi: one extension file. */
export const piInstaller: HostInstaller = {
  host: HOST,
  scopes: ['project', 'user'],
  parts(machine, scope, wiring) {
    const file = extensionFile(machine, scope);
    return file === null ? [] : [pluginPart(file, 'pi-extension.mjs', wiring)];
  },
  assertInstallable(machine, scope) {
    const other = extensionFile(machine, scope === 'user' ? 'project' : 'user');
    if (other !== null && isOurPlugin(readIfThere(other)?.toString('utf8') ?? ''))
      throw installedTwice(HOST, other);
  },
  notes,
};
