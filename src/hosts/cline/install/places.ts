import type { Machine, Scope } from '../../shared/install/installer.ts';

/** The folder of a scope's hooks: one file an event. Null for a project scope where no project is meant. */
export function hooksFolder({ project, home, env }: Machine, scope: Scope): string | null {
  if (scope === 'user') return `${env('CLINE_DIR') || `${home}/.cline`}/hooks`;
  return project === null ? null : `${project}/.clinerules/hooks`;
}

/** The rule that tells every agent of a scope of the handshake: the host lets no hook say so before the first call. */
export function ruleFile({ project, home }: Machine, scope: Scope): string | null {
  if (scope === 'user') return `${home}/Documents/Cline/Rules/pactclaw.md`;
  return project === null ? null : `${project}/.clinerules/pactclaw.md`;
}

/** Where the host keeps its MCP servers: one file for all projects. */
export function serverFile({ home, env }: Machine): string {
  const data = env('CLINE_DATA_DIR') || `${env('CLINE_DIR') || `${home}/.cline`}/data`;
  return `${data}/settings/cline_mcp_settings.json`;
}
