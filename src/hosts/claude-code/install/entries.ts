import { hookPaths } from '../../shared/install/hook-groups.ts';
import type { Scope, Wiring } from '../../shared/install/installer.ts';
import { type JsonPath, type JsonText, valueAt } from '../../shared/install/json-edit.ts';
import { jsonPart } from '../../shared/install/json-part.ts';
import type { Entry, FindOurs, Kept } from '../../shared/install/merge.ts';
import type { Part } from '../../shared/install/part.ts';
import { sharedServerPart } from '../../shared/install/server.ts';
import { settingAt } from '../../shared/install/settings-files.ts';
import { EVENTS } from '../adapter.ts';
import { HOST } from '../decode.ts';
import { type Places, serverPlace, settingsFile } from './places.ts';
import { groupFor, NO_BACKGROUND, SEAM, SERVER, serverFor } from './wiring.ts';

const ENABLED = 'enabledMcpjsonServers';

/** Said in the local settings, it stands above the same key in the project's and the user's; in managed ones, above all. */
const HOOKS_ON: readonly string[] = ['disableAllHooks'];

/** In managed settings: no hook of a project or a person runs beside ours. */
const MANAGED_ONLY: readonly string[] = ['allowManagedHooksOnly'];

/** Places in a text of what stands beside the hooks: plain settings, and our name in the list of servers. */
function settingsIn(json: JsonText): { readonly name: string; readonly path: JsonPath }[] {
  const root = valueAt(json, []);
  const enabled = settingAt(root, [ENABLED]);
  const names = Array.isArray(enabled) ? enabled : [];
  return [
    ...(settingAt(root, NO_BACKGROUND) === '1' ? [{ name: 'env', path: NO_BACKGROUND }] : []),
    ...(/\/bin\/pactclaw-exec$/.test(String(settingAt(root, SEAM.program)))
      ? Object.entries(SEAM).flatMap(([name, path]) =>
          settingAt(root, path) === undefined ? [] : [{ name: `seam.${name}`, path }],
        )
      : []),
    ...(settingAt(root, HOOKS_ON) === false ? [{ name: 'hooksOn', path: HOOKS_ON }] : []),
    ...(settingAt(root, MANAGED_ONLY) === true ? [{ name: 'managedOnly', path: MANAGED_ONLY }] : []),
    ...[...names.entries()].flatMap(([at, name]) =>
      name === SERVER ? [{ name: SERVER, path: [ENABLED, at] }] : [],
    ),
  ];
}

/** Our hooks, and what stands beside them: that is ours only beside hooks of ours, else a human wrote it. */
const ourHooks: FindOurs = (first, kept) => {
  const isBeside = hookPaths(first).length > 0;
  return (now) => [
    ...hookPaths(now),
    ...settingsIn(now).flatMap(({ name, path }) => (isBeside && !kept.includes(name) ? [path] : [])),
  ];
};

/** What stood there before us stays when we go. */
function writtenBefore(json: JsonText): Kept {
  return [...new Set(settingsIn(json).map(({ name }) => name))];
}

/** Hook entries of a settings file. A server of `.mcp.json` needs approval too, which is given beside them. */
function hookEntries(wiring: Wiring, shared: boolean): Entry[] {
  const hooks = EVENTS.map((event) => ({
    path: ['hooks', event, '-'],
    value: groupFor(event, wiring, shared),
  }));
  return shared ? [...hooks, { path: [ENABLED, '-'], value: SERVER }] : hooks;
}

/** Paths with which the seam's program knows our own hooks' lines for what they are. */
const PLAIN = /^[A-Za-z0-9_@%+=:,./-]+$/;

/** What has the host run its agent's commands through us. A human's own program there stays. */
function seamEntries({ install, node, workspace, contained }: Wiring): Entry[] {
  if (!contained || workspace === null) return [];
  if (![install, node, workspace].every((path) => PLAIN.test(path))) return [];
  return [
    { path: SEAM.program, value: `${install}/bin/pactclaw-exec` },
    { path: SEAM.workspace, value: workspace },
    { path: SEAM.node, value: node },
  ];
}

/** The files of an installation in one scope. */
export function partsOf(places: Places, scope: Scope, wiring: Wiring): Part[] {
  const settings = settingsFile(places, scope);
  const server = serverPlace(places, scope);
  if (settings === null || server === null) return [];
  return [
    jsonPart({
      file: settings,
      entries: hookEntries(wiring, scope === 'project'),
      yielding: [
        { path: NO_BACKGROUND, value: '1' },
        ...(scope === 'local' ? seamEntries(wiring) : []),
        ...(scope === 'local' || scope === 'managed' ? [{ path: HOOKS_ON, value: false }] : []),
        ...(scope === 'managed' ? [{ path: MANAGED_ONLY, value: true }] : []),
      ],
      ours: ourHooks,
      alsoKept: writtenBefore,
    }),
    ...sharedServerPart(HOST, server.file, server.path, serverFor(wiring, scope === 'project')),
  ];
}
