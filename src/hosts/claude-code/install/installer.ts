import { findClient, isAtLeast } from '../../shared/install/client.ts';
import type { HostInstaller, Machine, Scope } from '../../shared/install/installer.ts';
import { HOST } from '../decode.ts';
import { partsOf } from './entries.ts';
import { assertInstallable, settingsWarnings, VERSION_FLOOR } from './guards.ts';
import { type Places, placesOf, readSettings } from './places.ts';
import { sharedProgram } from './shared-line.ts';

/** Where this person's host keeps its settings. */
export function claudePlaces({ project, home, env, platform, managed }: Machine): Places {
  const places = placesOf(project, home, env('CLAUDE_CONFIG_DIR'), platform);
  return managed === undefined ? places : { ...places, managed };
}

async function clientWarnings(): Promise<string[]> {
  const client = await findClient(['claude'], undefined);
  if (client === null) return ['no `claude` is on PATH; its version was not checked'];
  if (client.version !== null && isAtLeast(client.version, VERSION_FLOOR)) return [];
  return [
    `DANGER: ${client.file} is version ${client.version ?? 'unknown'}. Before ${VERSION_FLOOR} the host runs a call whose hook is late or was killed. Update it.`,
  ];
}

const EVERYWHERE = 'In a project without .orchestration every tool call is refused.';

function notes(scope: Scope): string[] {
  if (scope === 'user') return [`Every project of yours is governed now. ${EVERYWHERE}`];
  if (scope === 'managed')
    return [
      `Every project of everybody on this machine is governed now. ${EVERYWHERE}`,
      'Each other user adds the handshake server: claude mcp add --scope user pactclaw -- pactclaw mcp serve',
    ];
  const start =
    'Start the client in the workspace folder itself: from a subfolder it loads no project hooks.';
  if (scope === 'local') return [start];
  return [
    start,
    'Whoever pulls these files has every call refused until PactClaw is on PATH (npm install --global pactclaw) or a package of the project.',
  ];
}

/** Registers PactClaw with Claude Code (docs/hosts/claude-code.md). */
export const claudeCodeInstaller: HostInstaller = {
  host: HOST,
  scopes: ['local', 'project', 'user', 'managed'],
  parts: (machine, scope, wiring) => partsOf(claudePlaces(machine), scope, wiring),
  assertInstallable: (machine, scope) => assertInstallable(readSettings(claudePlaces(machine)), scope),
  warnings: async (machine, scope) => [
    ...(scope === 'project' && sharedProgram('pactclaw-hook', machine.project ?? machine.home) === null
      ? ['pactclaw-hook is neither on PATH nor in node_modules of the project: every call is refused here']
      : []),
    ...settingsWarnings(readSettings(claudePlaces(machine))),
    ...(await clientWarnings()),
  ],
  notes,
};
