import { isObject, type JsonObject } from '../../../core/json.ts';
import { guardedLine } from '../../shared/install/guarded-line.ts';
import { hookPaths } from '../../shared/install/hook-groups.ts';
import type { HostInstaller, Machine, Scope, Wiring } from '../../shared/install/installer.ts';
import { readObject } from '../../shared/install/json-file.ts';
import { jsonPart } from '../../shared/install/json-part.ts';
import { serverFor, serverPart } from '../../shared/install/server.ts';
import { assertOnlyHere, type SettingsFile } from '../../shared/install/settings-files.ts';
import { shellLine } from '../../shared/install/shell-line.ts';
import { EVENTS } from '../handle.ts';
import { HOST } from '../tools.ts';

/** Above the hook's own deadline (20 s): at its timeout the host runs the call. */
const TIMEOUT_S = 30;
/** Events whose failing hook must refuse. */
export const DECIDING = new Set(['PreToolUse', 'UserPromptSubmit', 'PostToolUse']);

/** The host's folder of a scope; null for a project scope where no project is meant. */
export function folderFor({ project, home }: Machine, scope: Scope): string | null {
  if (scope === 'user') return `${home}/.factory`;
  return project === null ? null : `${project}/.factory`;
}

function groupFor(event: string, { install, node, workspace }: Wiring): JsonObject {
  const place = workspace === null ? [] : ['--workspace', workspace];
  const words = [`${install}/bin/pactclaw-hook`, node, HOST, ...place, '--event', event];
  const command = DECIDING.has(event) ? guardedLine(words) : shellLine(words);
  const matcher = event.endsWith('ToolUse') ? { matcher: '*' } : {};
  return { ...matcher, hooks: [{ type: 'command', command, timeout: TIMEOUT_S }] };
}

/** The hooks files, as settings of the shape that other hosts have: in these the events stand at the top. */
export function hookSettings(machine: Machine): SettingsFile[] {
  return (['project', 'user'] as const).flatMap((level) => {
    const folder = folderFor(machine, level);
    if (folder === null) return [];
    const file = `${folder}/hooks.json`;
    const { value, fault } = readObject(file);
    return [{ level, file, value: value === null ? null : { hooks: value }, fault }];
  });
}

/** Registers PactClaw with Factory droid (hosts reference §15). */
export const droidInstaller: HostInstaller = {
  host: HOST,
  scopes: ['project', 'user'],
  parts: (machine, scope, wiring) => {
    const folder = folderFor(machine, scope);
    if (folder === null) return [];
    const entries = EVENTS.map((event) => ({ path: [event, '-'], value: groupFor(event, wiring) }));
    return [
      jsonPart({ file: `${folder}/hooks.json`, entries, ours: () => (json) => hookPaths(json, []) }),
      serverPart(`${folder}/mcp.json`, ['mcpServers'], { type: 'stdio', ...serverFor(wiring) }),
    ];
  },
  assertInstallable: (machine, scope) => assertOnlyHere(hookSettings(machine), HOST, scope),
  warnings: async (machine) => [
    'droid was not run by us: what it does with these answers is read from its program, not seen',
    ...hookSettings(machine).flatMap(({ file, fault }) => (fault === null ? [] : [`${file}: ${fault}`])),
  ],
  notes: (scope) => [
    'The client loads hooks of a project only once you trust its folder.',
    ...(scope === 'user'
      ? ['Every project of yours is governed now. In one without .orchestration every tool call is refused.']
      : ['The files name paths of this machine; where others share the repository, use --user instead.']),
  ],
};

/** The entry of our server in a scope's file, or null. */
export function serverEntry(
  machine: Machine,
  scope: Scope,
): { readonly file: string; readonly entry: JsonObject } | null {
  const folder = folderFor(machine, scope);
  if (folder === null) return null;
  const file = `${folder}/mcp.json`;
  const servers = readObject(file).value?.mcpServers;
  const entry = isObject(servers) ? servers.pactclaw : undefined;
  return isObject(entry) ? { file, entry } : null;
}
