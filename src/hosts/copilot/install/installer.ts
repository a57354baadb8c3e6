import type { JsonObject } from '../../../core/json.ts';
import { readIfThere } from '../../../platform/files.ts';
import { installedTwice, switchedOff } from '../../shared/install/conflicts.ts';
import type { HostInstaller, Machine, Scope, Wiring } from '../../shared/install/installer.ts';
import { readObject } from '../../shared/install/json-file.ts';
import { NOTES } from '../../shared/install/notes.ts';
import { serverFor, sharedServerPart } from '../../shared/install/server.ts';
import { textPart } from '../../shared/install/text-part.ts';
import { launcherWords } from '../../shared/registration.ts';
import { EVENTS } from '../adapter.ts';
import { HOST } from '../decode.ts';
import { hooksFile, serverFile, settingsFiles } from './places.ts';

/** Above the hook's own deadline (20 s): after a timeout the host runs the call. */
const TIMEOUT_S = 30;

/** The hook entry of one event. With `exec` the host starts the file itself: no shell in between. */
export function handlerFor(event: string, wiring: Wiring): JsonObject {
  const [exec, ...args] = launcherWords(HOST, event, wiring);
  return { type: 'command', exec: exec ?? '', args, timeoutSec: TIMEOUT_S };
}

function hooksText(wiring: Wiring): string {
  const hooks = Object.fromEntries(EVENTS.map((event) => [event, [handlerFor(event, wiring)]]));
  return `${JSON.stringify({ version: 1, hooks }, null, 2)}\n`;
}

/** True for a file of hooks that starts our launcher. */
function isOurs(text: string): boolean {
  return text.includes('/pactclaw-hook"');
}

function assertInstallable(machine: Machine, scope: Scope): void {
  const off = settingsFiles(machine).find((file) => Boolean(readObject(file).value?.disableAllHooks));
  if (off !== undefined) throw switchedOff('disableAllHooks', off);
  const other = hooksFile(machine, scope === 'user' ? 'project' : 'user');
  if (other !== null && isOurs(readIfThere(other)?.toString('utf8') ?? '')) throw installedTwice(HOST, other);
}

function notes(scope: Scope): string[] {
  if (scope === 'user') return [NOTES.everyProject];
  return [
    'Start the client in the workspace folder itself and trust it: from a subfolder, or in a folder that is not trusted, it loads no project hooks and no project servers. --user holds everywhere.',
    NOTES.ownPathsOfFiles,
  ];
}

/** Registers PactClaw with GitHub Copilot CLI (docs/hosts/copilot.md). */
export const copilotInstaller: HostInstaller = {
  host: HOST,
  scopes: ['project', 'user'],
  parts: (machine, scope, wiring) => {
    const hooks = hooksFile(machine, scope);
    const server = serverFile(machine, scope);
    if (hooks === null || server === null || scope === 'local') return [];
    return [
      textPart({ file: hooks, content: hooksText(wiring), isOurs }),
      // The entry that Claude Code needs too: both read the project's .mcp.json.
      ...sharedServerPart(HOST, server, ['mcpServers'], { ...serverFor(wiring), alwaysLoad: true }),
    ];
  },
  assertInstallable,
  notes,
};
