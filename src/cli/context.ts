import path from 'node:path';
import { PactError } from '../core/errors.ts';
import { findWorkspace, type Workspace, workspaceAt } from '../hooks/workspace.ts';

/** Folder that PactClaw itself is installed in: the one above `dist/` or `src/`. */
export function installFolder(): string {
  const here = import.meta.dirname;
  const at = Math.max(here.lastIndexOf(`${path.sep}dist`), here.lastIndexOf(`${path.sep}src`));
  return at < 0 ? path.dirname(here) : here.slice(0, at);
}

/** The workspace folder a command works on: `--workspace`, else the environment, else the nearest one (C-8). */
export function workspaceRoot(option: string | undefined): string {
  const asked = option ?? process.env.PACTCLAW_WORKSPACE;
  if (asked !== undefined && asked !== '') return path.resolve(asked);
  const found = findWorkspace(process.cwd());
  if (found !== null) return found;
  throw new PactError(
    'NOT_FOUND',
    'no workspace here: neither this folder nor one above it has .orchestration',
    'Run `pactclaw init` in the project, or name it with --workspace DIR.',
  );
}

/** The workspace for commands that need one. */
export function openWorkspace(option: string | undefined): Workspace {
  return workspaceAt(workspaceRoot(option), installFolder());
}
