import { parse } from 'smol-toml';
import { kimiFootprint } from '../../../core/footprints/others.ts';
import { isObject, type JsonObject } from '../../../core/json.ts';
import { clientWarnings, notSeen } from '../../shared/install/client.ts';
import { homePlace } from '../../shared/install/home-place.ts';
import type { HostInstaller, Machine, Wiring } from '../../shared/install/installer.ts';
import { type ParsedFile, readParsed } from '../../shared/install/parsed-file.ts';
import { serverFor, serverPart } from '../../shared/install/server.ts';
import { type TomlTable, tomlPart } from '../../shared/install/toml-part.ts';
import { commandFor } from '../../shared/registration.ts';
import { DECIDING, EVENTS } from '../adapter.ts';
import { HOST } from '../tools.ts';

/** The first version of the client that was seen to obey. */
export const VERSION_FLOOR = '2.1.0';

/** Above the hook's own deadline (20 s): at its timeout the host runs the call. */
const TIMEOUT_S = 30;
const HEADER = '[[hooks]]';

/** The host's folder: `~/.kimi-code`, or what KIMI_CODE_HOME names. It reads hooks from there alone. */
export function folderOf(machine: Machine): string {
  return homePlace(kimiFootprint, machine, '.kimi-code');
}

/** The host's settings. One key that it does not know makes it refuse the whole file. */
export function readConfig(machine: Machine): ParsedFile {
  return readParsed(`${folderOf(machine)}/config.toml`, parse);
}

/** Hooks of ours among its settings. */
export function ourHooks({ value }: ParsedFile): JsonObject[] {
  const hooks = Array.isArray(value?.hooks) ? value.hooks : [];
  return hooks.filter(isObject).filter(({ command }) => /\/pactclaw-hook(?=['"\s]|$)/.test(String(command)));
}

/** One hook. Without a matcher it is called for everything. */
function tableFor(event: string, wiring: Wiring): TomlTable {
  const command = commandFor(HOST, event, wiring, DECIDING.has(event));
  return {
    header: HEADER,
    lines: [
      `event = ${JSON.stringify(event)}`,
      `command = ${JSON.stringify(command)}`,
      `timeout = ${TIMEOUT_S}`,
    ],
  };
}

/** Registers PactClaw with Kimi Code CLI. */
export const kimiInstaller: HostInstaller = {
  host: HOST,
  // The host has no settings of a project.
  scopes: ['user'],
  parts: (machine, scope, wiring) => {
    if (scope !== 'user') return [];
    const folder = folderOf(machine);
    return [
      tomlPart({
        file: `${folder}/config.toml`,
        name: 'hooks',
        tables: EVENTS.map((event) => tableFor(event, wiring)),
        isOurs: ({ header, lines }) => header === HEADER && lines.some((line) => /pactclaw-hook/.test(line)),
      }),
      serverPart(`${folder}/mcp.json`, ['mcpServers'], serverFor(wiring)),
    ];
  },
  warnings: async (machine) => {
    const { file, fault } = readConfig(machine);
    return [
      ...(fault === null ? [] : [`${file} is refused by the host: ${fault}`]),
      ...(await clientWarnings('kimi', VERSION_FLOOR, notSeen(VERSION_FLOOR))),
    ];
  },
  notes: () => [
    'The client has one place for hooks: every project of yours is governed now. In one without .orchestration every tool call is refused.',
    'A session that is open already goes on without them: start it anew.',
  ],
};
