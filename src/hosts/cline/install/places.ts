import { clineFootprint } from '../../../core/footprints/cline.ts';
import { homePlace } from '../../shared/install/home-place.ts';
import type { Machine, Scope } from '../../shared/install/installer.ts';

/** The folder of a scope's hooks: one file an event. Null for a project scope where no project is meant. */
export function hooksFolder(machine: Machine, scope: Scope): string | null {
  if (scope === 'user') return homePlace(clineFootprint, machine, '.cline/hooks');
  const { project } = machine;
  return project === null ? null : `${project}/.clinerules/hooks`;
}

/** The rule that tells every agent of a scope of the handshake: the host lets no hook say so before the first call. */
export function ruleFile({ project, home }: Machine, scope: Scope): string | null {
  if (scope === 'user') return `${home}/Documents/Cline/Rules/pactclaw.md`;
  return project === null ? null : `${project}/.clinerules/pactclaw.md`;
}

/** Where the host keeps its MCP servers: one file for all projects. */
export function serverFile(machine: Machine): string {
  return homePlace(clineFootprint, machine, '.cline/data/settings/cline_mcp_settings.json');
}
