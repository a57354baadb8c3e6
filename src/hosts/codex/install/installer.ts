import { findClient, isAtLeast } from '../../shared/install/client.ts';
import type { HostInstaller, Machine, Scope } from '../../shared/install/installer.ts';
import { HOST } from '../tools.ts';
import { partsOf } from './entries.ts';
import { assertInstallable, distrust, hookFilesOf, VERSION_FLOOR } from './guards.ts';

/** Names of the host's program. */
export const CLIENTS = ['codex'];

async function warnings(machine: Machine, scope: Scope): Promise<string[]> {
  const untrusted = scope === 'project' ? distrust(machine) : null;
  const client = await findClient(CLIENTS, undefined);
  const found: string[] = hookFilesOf(machine).flatMap(({ file, fault }) =>
    fault === null ? [] : [`${file} is ignored by the host: ${fault}`],
  );
  if (untrusted !== null) found.push(`DANGER: ${untrusted}`);
  if (client === null) found.push('no `codex` is on PATH; its version was not checked');
  else if (client.version === null || !isAtLeast(client.version, VERSION_FLOOR))
    found.push(
      `DANGER: ${client.file} is version ${client.version ?? 'unknown'}; nothing is known of one before ${VERSION_FLOOR}. Update it.`,
    );
  return found;
}

function notes(scope: Scope): string[] {
  const trust =
    'Each hook was given the trust that Codex asks for. One that somebody edits loses it and is skipped without a word: install again.';
  return scope === 'user'
    ? [
        trust,
        'Every project of yours is governed now. In one without .orchestration every tool call is refused.',
      ]
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
