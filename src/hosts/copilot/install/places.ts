import { copilotFootprint } from '../../../core/footprints/copilot.ts';
import { homePlace } from '../../shared/install/home-place.ts';
import type { Machine, Scope } from '../../shared/install/installer.ts';

/** The user's folder of the host: `~/.copilot`, or what COPILOT_HOME names. */
export function userFolder(machine: Machine): string {
  return homePlace(copilotFootprint, machine, '.copilot');
}

/** The file of hooks that is ours as a whole; null for a project scope where no project is meant. */
export function hooksFile(machine: Machine, scope: Scope): string | null {
  if (scope === 'user') return `${userFolder(machine)}/hooks/pactclaw.json`;
  return machine.project === null ? null : `${machine.project}/.github/hooks/pactclaw.json`;
}

/** The file in which the host finds the MCP servers of a scope. */
export function serverFile(machine: Machine, scope: Scope): string | null {
  if (scope === 'user') return `${userFolder(machine)}/mcp-config.json`;
  return machine.project === null ? null : `${machine.project}/.mcp.json`;
}

/** Settings in which hooks can be switched off. */
export function settingsFiles(machine: Machine): string[] {
  const { project } = machine;
  const own = `${userFolder(machine)}/settings.json`;
  if (project === null) return [own];
  const folder = `${project}/.github/copilot`;
  return [`${folder}/settings.json`, `${folder}/settings.local.json`, own];
}
