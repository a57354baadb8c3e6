import { isObject, type JsonObject } from '../../../core/json.ts';
import { isTrusted, placesOf, readSettings, serverOffBy } from '../install/layered-settings.ts';
import { SERVER } from '../install/server.ts';
import { type SettingsFile, settingAt } from '../install/settings-files.ts';
import type { LayeredTable } from '../layered-table.ts';
import { registeredServer } from '../server-entry.ts';
import { type Check, check, warn } from './check.ts';
import { faultOfLine, lineHooks } from './line-hooks.ts';
import type { HostVerifier, RegisteredServer, WiringFacts } from './verifier.ts';
import { checkClient, checkEvents, checkStart, checkWorkspace } from './wiring-checks.ts';

/** Reads the settings as the host merges them and checks that no event gets by. Starts nothing. */
function checkWiring(table: LayeredTable, facts: WiringFacts): Check[] {
  const { machine, registered, client, asked, cwd } = facts;
  const { project } = machine;
  const { host } = table.footprint;
  const places = placesOf(table, machine);
  const settings = readSettings(places);
  const off = table.switchedOff(settings);
  const events = table.events.map(({ event }) => event);
  const untrusted =
    project !== null && isTrusted(places, settings, project, table.asksForTrust) !== true
      ? 'not yet: until it is, the client loads no hooks there. Start it once in the folder and accept it'
      : null;
  return [
    ...checkEvents(events, registered, faultOfLine(host, table.events, table.perSecond)),
    ...checkWorkspace(registered, project ?? cwd),
    check(
      'wiring',
      'hooks are not switched off',
      off === null,
      off === null ? 'nothing does' : `${off.key} in ${off.file}`,
    ),
    ...settings.flatMap(({ file, fault }) =>
      fault === null ? [] : [warn('wiring', 'settings can be read', `${file}: ${fault}`)],
    ),
    checkClient(client, asked, {
      title: `the client is ${table.floor} or later`,
      name: table.client,
      floor: table.floor,
    }),
    ...(untrusted === null ? [] : [warn('wiring', 'the folder is trusted', untrusted)]),
    ...checkStart(facts, places.user),
  ];
}

/** The server entry that counts: that of the strongest settings file that has one. */
function serverIn(settings: readonly SettingsFile[]): RegisteredServer | null {
  for (const { file, value } of settings) {
    const entry = settingAt(value, ['mcpServers', SERVER]);
    if (isObject(entry)) return registeredServer(file, entry as JsonObject);
  }
  return null;
}

/** Tries a host's installation by its table. */
export function layeredVerifier(table: LayeredTable): HostVerifier {
  const settingsOf = (machine: WiringFacts['machine']) => readSettings(placesOf(table, machine));
  const [folder] = table.footprint.names;
  return {
    ...table.trials,
    host: table.footprint.host,
    clients: [table.client],
    registered: (machine) => lineHooks(settingsOf(machine)),
    wiring: (facts) => checkWiring(table, facts),
    server: {
      find: (machine) => serverIn(settingsOf(machine)),
      checks: (machine) => {
        const off = serverOffBy(settingsOf(machine));
        return [check('server', 'the server is not switched off', off === null, off ?? 'nothing does')];
      },
    },
    guarded: true,
    wiringFiles: [`${folder}/settings.json`],
  };
}
