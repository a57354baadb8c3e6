import { findClient, isAtLeast } from '../../shared/install/client.ts';
import type { HostInstaller, Machine, Scope } from '../../shared/install/installer.ts';
import { HOST } from '../decode.ts';
import { partsOf } from './entries.ts';
import { assertInstallable, settingsWarnings, VERSION_FLOOR } from './guards.ts';
import { type Places, placesOf, readSettings } from './places.ts';

/** Where this person's host keeps its settings. */
export function claudePlaces({ project, home, env, platform }: Machine): Places {
  return placesOf(project, home, env('CLAUDE_CONFIG_DIR'), platform);
}

async function clientWarnings(): Promise<string[]> {
  const client = await findClient(['claude'], undefined);
  if (client === null) return ['no `claude` is on PATH; its version was not checked'];
  if (client.version !== null && isAtLeast(client.version, VERSION_FLOOR)) return [];
  return [
    `DANGER: ${client.file} is version ${client.version ?? 'unknown'}. Before ${VERSION_FLOOR} the host runs a call whose hook failed. Update it.`,
  ];
}

function notes(scope: Scope): string[] {
  if (scope === 'user')
    return [
      'Every project of yours is governed now. In one without .orchestration every tool call is refused.',
    ];
  const start =
    'Start the client in the workspace folder itself: from a subfolder it loads no project hooks.';
  if (scope === 'local') return [start];
  return [
    start,
    'The files name paths of this machine: whoever else pulls them cannot start the client before PactClaw is at the same place there.',
  ];
}

/** Registers PactClaw with Claude Code (docs/hosts/claude-code.md). */
export const claudeCodeInstaller: HostInstaller = {
  host: HOST,
  scopes: ['local', 'project', 'user'],
  parts: (machine, scope, wiring) => partsOf(claudePlaces(machine), scope, wiring),
  assertInstallable: (machine, scope) => assertInstallable(readSettings(claudePlaces(machine)), scope),
  warnings: async (machine) => [
    ...settingsWarnings(readSettings(claudePlaces(machine))),
    ...(await clientWarnings()),
  ],
  notes,
};
