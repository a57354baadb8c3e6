import { readIfThere } from '../../../platform/files.ts';
import { clientWarnings } from '../../shared/install/client.ts';
import { installedTwice } from '../../shared/install/conflicts.ts';
import type { HostInstaller, Machine, Scope } from '../../shared/install/installer.ts';
import { NOTES } from '../../shared/install/notes.ts';
import { serverFor, serverPart } from '../../shared/install/server.ts';
import { textPart } from '../../shared/install/text-part.ts';
import { EVENTS } from '../adapter.ts';
import { HOST } from '../decode.ts';
import { hooksFolder, ruleFile, serverFile } from './places.ts';
import { isOurRule, RULE } from './rule.ts';
import { isOurScript, scriptFor } from './script.ts';

/** The version that is known to run a call with the arguments that a refusal gives it. */
export const VERSION_FLOOR = '3.0.65';

function assertInstallable(machine: Machine, scope: Scope): void {
  const folder = hooksFolder(machine, scope === 'user' ? 'project' : 'user');
  const other = `${folder}/PreToolUse`;
  if (folder !== null && isOurScript(readIfThere(other)?.toString('utf8') ?? ''))
    throw installedTwice(HOST, other);
}

function danger(file: string, version: string | null): string {
  return `DANGER: ${file} is version ${version ?? 'unknown'}. A version before ${VERSION_FLOOR} may run a call that was refused. Update it.`;
}

function notes(scope: Scope): string[] {
  const server = 'The server is registered for all projects, as the host has no other place for it.';
  return scope === 'user' ? [NOTES.everyProject] : [server, NOTES.ownPathsOfFiles];
}

/** Registers PactClaw with Cline CLI (docs/hosts/cline.md). */
export const clineInstaller: HostInstaller = {
  host: HOST,
  scopes: ['project', 'user'],
  parts: (machine, scope, wiring) => {
    const folder = hooksFolder(machine, scope);
    const rule = ruleFile(machine, scope);
    if (folder === null || rule === null || scope === 'local') return [];
    return [
      ...EVENTS.map((event) =>
        textPart({
          file: `${folder}/${event}`,
          content: scriptFor(event, wiring),
          isOurs: isOurScript,
          executable: true,
        }),
      ),
      textPart({ file: rule, content: RULE, isOurs: isOurRule }),
      // For all projects: it finds the workspace that it is started in.
      serverPart(serverFile(machine), ['mcpServers'], serverFor({ ...wiring, workspace: null })),
    ];
  },
  assertInstallable,
  warnings: () => clientWarnings('cline', VERSION_FLOOR, danger),
  notes,
};
