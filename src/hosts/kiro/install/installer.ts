import { isObject, type JsonObject } from '../../../core/json.ts';
import { guardedLine } from '../../shared/install/guarded-line.ts';
import { isOurHandler } from '../../shared/install/hook-groups.ts';
import type { HostInstaller, Machine, Scope, Wiring } from '../../shared/install/installer.ts';
import { type JsonPath, type JsonText, valueAt } from '../../shared/install/json-edit.ts';
import { readObject } from '../../shared/install/json-file.ts';
import { jsonPart } from '../../shared/install/json-part.ts';
import type { FindOurs } from '../../shared/install/merge.ts';
import { serverFor, serverPart } from '../../shared/install/server.ts';
import { shellLine } from '../../shared/install/shell-line.ts';
import { DECIDING } from '../adapter.ts';
import { EVENTS } from '../handle.ts';
import { HOST } from '../tools.ts';

/** Above the hook's own deadline (20 s): at its timeout the host runs the call. */
const TIMEOUT_S = 30;

/** The hooks file and the server's of a project. Hooks of the user could not know the workspace of every window. */
export function filesFor({ project }: Machine): { readonly hooks: string; readonly servers: string } | null {
  if (project === null) return null;
  return { hooks: `${project}/.kiro/hooks/pactclaw.json`, servers: `${project}/.kiro/settings/mcp.json` };
}

function hookFor(event: string, { install, node, workspace }: Wiring): JsonObject {
  const place = workspace === null ? [] : ['--workspace', workspace];
  const words = [`${install}/bin/pactclaw-hook`, node, HOST, ...place, '--event', event];
  const command = DECIDING.has(event) ? guardedLine(words) : shellLine(words);
  return {
    name: `pactclaw-${event}`,
    description: 'PactClaw',
    trigger: event,
    ...(event.endsWith('ToolUse') ? { matcher: '.*' } : {}),
    action: { type: 'command', command },
    timeout: TIMEOUT_S,
    enabled: true,
  };
}

/** Our hooks in a file of the host, with their places in its list. */
export function ourHooks(value: unknown): { readonly at: number; readonly hook: JsonObject }[] {
  const hooks = isObject(value) && Array.isArray(value.hooks) ? value.hooks : [];
  return hooks.flatMap((hook: unknown, at) =>
    isObject(hook) && isOurHandler(hook.action) ? [{ at, hook: hook as JsonObject }] : [],
  );
}

const VERSION = 'version';

function hasVersion(json: JsonText): boolean {
  const value = valueAt(json, []);
  return isObject(value) && value[VERSION] !== undefined;
}

/** Our hooks, and the version where it came with them. */
const ours: FindOurs = (first, kept) => {
  const cameWithUs = !kept.includes(VERSION) && ourHooks(valueAt(first, [])).length > 0;
  return (now) => [
    ...(cameWithUs && hasVersion(now) ? [[VERSION]] : []),
    ...ourHooks(valueAt(now, [])).map(({ at }): JsonPath => ['hooks', at]),
  ];
};

/** Registers PactClaw with Kiro's hook files of version 1 (hosts reference §13). */
export const kiroInstaller: HostInstaller = {
  host: HOST,
  scopes: ['project'],
  parts: (machine, scope: Scope, wiring) => {
    const files = filesFor(machine);
    if (files === null || scope !== 'project') return [];
    const entries = [
      { path: [VERSION], value: 'v1' },
      ...EVENTS.map((event) => ({ path: ['hooks', '-'], value: hookFor(event, wiring) })),
    ];
    return [
      jsonPart({
        file: files.hooks,
        entries,
        ours,
        alsoKept: (json) => (hasVersion(json) ? [VERSION] : []),
      }),
      serverPart(files.servers, ['mcpServers'], serverFor(wiring)),
    ];
  },
  warnings: async (machine) => {
    const files = filesFor(machine);
    const { fault } = files === null ? { fault: null } : readObject(files.hooks);
    return [
      'Kiro was not run by us: what it does with these answers is read from its documentation, not seen',
      ...(fault === null ? [] : [`${files?.hooks}: ${fault}`]),
    ];
  },
  notes: () => [
    'Kiro IDE 1.x reads these hooks. Kiro CLI 2 reads hooks of its agents’ own files alone, and is not governed by these.',
    'The files name paths of this machine; keep them out of a repository that others share.',
  ],
};
