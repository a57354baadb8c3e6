import type { JsonObject } from '../../../core/json.ts';
import type { HookEvent, LayeredTable } from '../layered-table.ts';
import { commandFor } from '../registration.ts';
import { clientWarnings } from './client.ts';
import { switchedOff } from './conflicts.ts';
import { hookPaths } from './hook-groups.ts';
import type { HostInstaller, Machine, Wiring } from './installer.ts';
import { jsonPart } from './json-part.ts';
import { isTrusted, placesOf, readSettings, serverOffBy, settingsFile } from './layered-settings.ts';
import type { Part } from './part.ts';
import { SERVER, serverFor, serverPart } from './server.ts';
import { assertOnlyHere } from './settings-files.ts';

/** Above the hook's own deadline (20 s): at its timeout the host runs the call. */
const TIMEOUT_S = 30;

/** The hook entry of one event. It has a name, under which the host lists it. */
function groupFor({ footprint, perSecond }: LayeredTable, hook: HookEvent, wiring: Wiring): JsonObject {
  const command = commandFor(footprint.host, hook.event, wiring, hook.refuses);
  return {
    ...(hook.matcher === undefined ? {} : { matcher: hook.matcher }),
    hooks: [{ name: SERVER, type: 'command', command, timeout: TIMEOUT_S * perSecond }],
  };
}

/** Hooks and server in one settings file. */
function partsIn(file: string, table: LayeredTable, wiring: Wiring): Part[] {
  const entries = table.events.map((hook) => ({
    path: ['hooks', hook.event, '-'],
    value: groupFor(table, hook, wiring),
  }));
  const own = [
    jsonPart({ file, entries, ours: () => hookPaths }),
    serverPart(file, ['mcpServers'], { ...serverFor(wiring), ...table.server }),
  ];
  return [...own, ...(table.alsoParts?.(file, own) ?? [])];
}

/** What a human should know of the settings, though it does not stand in the way. */
function settingsWarnings(table: LayeredTable, machine: Machine): string[] {
  const { project } = machine;
  const places = placesOf(table, machine);
  const settings = readSettings(places);
  const off = serverOffBy(settings);
  const untrusted = project !== null && isTrusted(places, settings, project, table.asksForTrust) !== true;
  return [
    ...settings.flatMap(({ file, fault }) =>
      fault === null ? [] : [`${file} cannot be read as plain JSON: ${fault}`],
    ),
    ...(off === null
      ? []
      : [`${off} keeps the server ${SERVER} from starting: no handshake will be possible`]),
    ...(untrusted
      ? [
          `the client does not trust ${project} yet, and in a folder that it does not trust it loads no hooks: start it there once and accept the folder`,
        ]
      : []),
  ];
}

/** Registers PactClaw with a host by its table. */
export function layeredInstaller(table: LayeredTable): HostInstaller {
  const { host } = table.footprint;
  return {
    host,
    scopes: ['project', 'user'],
    parts: (machine, scope, wiring) => {
      const file = settingsFile(placesOf(table, machine), scope);
      return file === null ? [] : partsIn(file, table, wiring);
    },
    assertInstallable: (machine, scope) => {
      const settings = readSettings(placesOf(table, machine));
      const counts = scope === 'user' ? settings.filter(({ level }) => level !== 'project') : settings;
      const off = table.switchedOff(counts);
      if (off !== null) throw switchedOff(off.key, off.file, off.remedy);
      assertOnlyHere(settings, host, scope);
    },
    warnings: async (machine) => [
      ...settingsWarnings(table, machine),
      ...(await clientWarnings(table.client, table.floor, table.tooOld)),
    ],
    notes: (scope) => table.notes(scope),
  };
}
