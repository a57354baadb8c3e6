import { isObject } from '../../../core/json.ts';
import { hookPaths } from '../../shared/install/hook-groups.ts';
import type { Scope, Wiring } from '../../shared/install/installer.ts';
import { type JsonPath, type JsonText, valueAt } from '../../shared/install/json-edit.ts';
import { jsonPart } from '../../shared/install/json-part.ts';
import type { Entry, FindOurs, Kept } from '../../shared/install/merge.ts';
import type { Part } from '../../shared/install/part.ts';
import { sharedServerPart } from '../../shared/install/server.ts';
import { HOST } from '../decode.ts';
import { EVENTS } from '../handle.ts';
import { type Places, serverPlace, settingsFile } from './places.ts';
import { groupFor, SERVER, serverFor } from './wiring.ts';

const ENABLED = 'enabledMcpjsonServers';

/** Hook entries of a settings file. A server of `.mcp.json` needs approval too, which is given beside them. */
export function hookEntries(wiring: Wiring, approveServer: boolean): Entry[] {
  const hooks = EVENTS.map((event) => ({ path: ['hooks', event, '-'], value: groupFor(event, wiring) }));
  return approveServer ? [...hooks, { path: [ENABLED, '-'], value: SERVER }] : hooks;
}

/** Places of our name in the list of approved servers. */
function approvals(json: JsonText): JsonPath[] {
  const enabled = isObject(valueAt(json, [])) ? valueAt(json, [ENABLED]) : undefined;
  if (!Array.isArray(enabled)) return [];
  return [...enabled.entries()].flatMap(([at, name]) => (name === SERVER ? [[ENABLED, at]] : []));
}

/** Our hooks, and our name in the list of servers: that is ours only beside hooks of ours, else a human wrote it. */
export const ourHooks: FindOurs = (first, kept) => {
  const keepsName = kept.includes(SERVER) || hookPaths(first).length === 0;
  return (now) => [...hookPaths(now), ...(keepsName ? [] : approvals(now))];
};

/** A name that was in the list before us stays there when we go. */
export function approvedBefore(json: JsonText): Kept {
  return approvals(json).length > 0 ? [SERVER] : [];
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
      ours: ourHooks,
      alsoKept: approvedBefore,
    }),
    ...sharedServerPart(HOST, server.file, server.path, serverFor(wiring)),
  ];
}
