import { commandFor } from '../registration.ts';
import type { HostTable } from '../table.ts';
import { installedTwice } from './conflicts.ts';
import { LAYOUTS } from './hook-file.ts';
import type { HostInstaller, Machine, Scope, Wiring } from './installer.ts';
import { readObject } from './json-file.ts';
import { jsonPart } from './json-part.ts';
import type { Part } from './part.ts';
import { serverFor, serverPart } from './server.ts';

/** The file of hooks of each scope that has one for a machine. */
export function hookFiles({ wiring }: HostTable, machine: Machine): { scope: Scope; file: string }[] {
  return wiring.scopes.flatMap((scope) => {
    const files = wiring.files(machine, scope);
    return files === null ? [] : [{ scope, file: files.hooks }];
  });
}

function hooksPart({ hooks: host, wiring: table }: HostTable, file: string, wiring: Wiring): Part {
  const { at, ours, alsoKept } = LAYOUTS[table.layout];
  const { version } = table;
  const hooks = Object.keys(host.events).map((event) => ({
    path: at(event),
    value: table.entry(event, commandFor(host.host, event, wiring, table.guarded.has(event))),
  }));
  const inList = table.layout === 'list' && version !== undefined;
  const entries = inList ? [{ path: ['version'], value: version }, ...hooks] : hooks;
  const part = jsonPart({ file, entries, ours, ...(alsoKept ? { alsoKept } : {}) });
  if (inList || version === undefined) return part;
  return { ...part, blank: `${JSON.stringify({ version }, null, 2)}\n` };
}

/** Refuses a second registration that the host would merge with the first. */
function assertOnlyHere(table: HostTable, machine: Machine, scope: Scope): void {
  const { read } = LAYOUTS[table.wiring.layout];
  const other = hookFiles(table, machine).find(
    (one) => one.scope !== scope && read(readObject(one.file).value).length > 0,
  );
  if (other !== undefined) throw installedTwice(table.hooks.host, other.file);
}

/** Registers PactClaw with a host by its table. */
export function installerOf(table: HostTable): HostInstaller {
  const { hooks, wiring: own } = table;
  return {
    host: hooks.host,
    scopes: own.scopes,
    parts: (machine, scope, wiring) => {
      const files = own.scopes.includes(scope) ? own.files(machine, scope) : null;
      if (files === null) return [];
      const server = { ...own.server, ...serverFor(wiring) };
      return [hooksPart(table, files.hooks, wiring), serverPart(files.server, ['mcpServers'], server)];
    },
    assertInstallable: (machine, scope) => assertOnlyHere(table, machine, scope),
    warnings: async (machine) => [
      ...(own.warnings ?? []),
      ...hookFiles(table, machine).flatMap(({ file }) => {
        const { fault } = readObject(file);
        return fault === null ? [] : [`${file}: ${fault}`];
      }),
    ],
    notes: (scope) => own.notes(scope),
  };
}
