import type { JsonObject } from '../../../core/json.ts';
import { ourPaths } from '../../shared/install/flat-hooks.ts';
import { guardedLine } from '../../shared/install/guarded-line.ts';
import type { HostInstaller, Wiring } from '../../shared/install/installer.ts';
import { jsonPart } from '../../shared/install/json-part.ts';
import { serverFor, serverPart } from '../../shared/install/server.ts';
import { shellLine } from '../../shared/install/shell-line.ts';
import { EVENTS } from '../adapter.ts';
import { HOST } from '../decode.ts';

/** The hook entry of one event. The host runs a call whose hook cannot be started, which the line makes up for. */
function handlerFor(event: string, { install, node, workspace }: Wiring): JsonObject {
  const place = workspace === null ? [] : ['--workspace', workspace];
  const words = [`${install}/bin/pactclaw-hook`, node, HOST, ...place, '--event', event];
  return { command: event.startsWith('pre_') ? guardedLine(words) : shellLine(words), show_output: false };
}

/** Registers PactClaw with Windsurf's Cascade (hosts reference §12). */
export const windsurfInstaller: HostInstaller = {
  host: HOST,
  // No payload names its workspace, so that hooks of the user could not know it.
  scopes: ['project'],
  parts: ({ project, home }, scope, wiring) => {
    if (project === null || scope !== 'project') return [];
    const entries = EVENTS.map((event) => ({
      path: ['hooks', event, '-'],
      value: handlerFor(event, wiring),
    }));
    return [
      jsonPart({ file: `${project}/.windsurf/hooks.json`, entries, ours: () => ourPaths }),
      serverPart(`${home}/.codeium/windsurf/mcp_config.json`, ['mcpServers'], serverFor(wiring)),
    ];
  },
  notes: () => [
    'The host keeps one server `pactclaw` for all projects: it answers for the project that was installed last.',
    'The files name paths of this machine; keep them out of a repository that others share.',
  ],
};
