import { clientWarnings } from '../../shared/install/client.ts';
import type { HostInstaller, Machine, Scope } from '../../shared/install/installer.ts';
import { NOTES } from '../../shared/install/notes.ts';
import { HOST } from '../tools.ts';
import { partsOf } from './entries.ts';
import { assertInstallable, distrust, hookFilesOf, VERSION_FLOOR } from './guards.ts';

/** Name of the host's program. */
export const CLIENT = 'codex';

function danger(file: string, version: string | null): string {
  return `DANGER: ${file} is version ${version ?? 'unknown'}; nothing is known of one before ${VERSION_FLOOR}. Update it.`;
}

async function warnings(machine: Machine, scope: Scope): Promise<string[]> {
  const untrusted = scope === 'project' ? distrust(machine) : null;
  return [
    ...hookFilesOf(machine).flatMap(({ file, fault }) =>
      fault === null ? [] : [`${file} is ignored by the host: ${fault}`],
    ),
    ...(untrusted === null ? [] : [`DANGER: ${untrusted}`]),
    ...(await clientWarnings(CLIENT, VERSION_FLOOR, danger)),
  ];
}

function notes(scope: Scope): string[] {
  const trust =
    'Each hook was given the trust that Codex asks for. One that somebody edits loses it and is skipped without a word: install again.';
  return scope === 'user'
    ? [trust, NOTES.everyProject]
    : [
        trust,
        'The files name paths of this machine, and trust is given on this machine alone; where others share the repository, use --user instead.',
      ];
}

/** Registers PactClaw with Codex CLI (docs/hosts/codex.md). */
export const codexInstaller: HostInstaller = {
  host: HOST,
  scopes: ['project', 'user'],
  parts: partsOf,
  assertInstallable,
  warnings,
  notes,
};
