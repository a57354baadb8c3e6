import { PactError } from '../../../core/errors.ts';
import type { JsonObject } from '../../../core/json.ts';
import { ourHandlers, ourPaths } from '../../shared/install/flat-hooks.ts';
import type { HostInstaller, Machine, Scope, Wiring } from '../../shared/install/installer.ts';
import { readObject } from '../../shared/install/json-file.ts';
import { jsonPart } from '../../shared/install/json-part.ts';
import type { Part } from '../../shared/install/part.ts';
import { serverFor, serverPart } from '../../shared/install/server.ts';
import { shellLine } from '../../shared/install/shell-line.ts';
import { HOST } from '../decode.ts';
import { DECIDING, EVENTS } from '../handle.ts';

/** Above the hook's own deadline (20 s). */
const TIMEOUT_S = 30;

/** The host's folder of a scope; null for a project scope where no project is meant. */
export function folderFor({ project, home }: Machine, scope: Scope): string | null {
  if (scope === 'user') return `${home}/.cursor`;
  return project === null ? null : `${project}/.cursor`;
}

/** The hook entry of one event. `failClosed` makes every failure of the hook a refusal. */
function handlerFor(event: string, { install, node, workspace }: Wiring): JsonObject {
  const place = workspace === null ? [] : ['--workspace', workspace];
  const command = shellLine([`${install}/bin/pactclaw-hook`, node, HOST, ...place, '--event', event]);
  return { command, timeout: TIMEOUT_S, ...(DECIDING.has(event) ? { failClosed: true } : {}) };
}

function hooksPart(file: string, wiring: Wiring): Part {
  const entries = EVENTS.map((event) => ({ path: ['hooks', event, '-'], value: handlerFor(event, wiring) }));
  return { ...jsonPart({ file, entries, ours: () => ourPaths }), blank: '{\n  "version": 1\n}\n' };
}

function assertInstallable(machine: Machine, scope: Scope): void {
  const folder = folderFor(machine, scope === 'user' ? 'project' : 'user');
  const file = `${folder}/hooks.json`;
  if (folder === null || ourHandlers(readObject(file).value?.hooks).length === 0) return;
  throw new PactError(
    'CONFLICT',
    'PactClaw is installed here already; with both, every call would be counted twice',
    'Keep one: run `pactclaw uninstall cursor` first, which takes out all.',
    { file },
  );
}

function notes(scope: Scope): string[] {
  const server =
    'Switch the server `pactclaw` on in the host’s settings of MCP servers, where it asks you to.';
  return scope === 'user'
    ? [
        'Every project of yours is governed now. In one without .orchestration every tool call is refused.',
        server,
      ]
    : [
        'The files name paths of this machine; where others share the repository, use --user instead.',
        server,
      ];
}

/** Registers PactClaw with Cursor (hosts reference §9.1). */
export const cursorInstaller: HostInstaller = {
  host: HOST,
  scopes: ['project', 'user'],
  parts: (machine, scope, wiring) => {
    const folder = folderFor(machine, scope);
    if (folder === null || scope === 'local') return [];
    return [
      hooksPart(`${folder}/hooks.json`, wiring),
      serverPart(`${folder}/mcp.json`, ['mcpServers'], serverFor(wiring)),
    ];
  },
  assertInstallable,
  notes,
};
