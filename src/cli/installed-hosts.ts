import type { Workspace } from '../hooks/workspace.ts';
import { readIfThere } from '../platform/files.ts';

/** Files in which a host's hooks stand, and whose they are. */
export function installedHosts({ layout, ground }: Workspace): { host: string; file: string }[] {
  const places = [
    ['claude-code', `${layout.root}/.claude/settings.json`],
    ['claude-code', `${layout.root}/.claude/settings.local.json`],
    ['claude-code', `${ground.home}/.claude/settings.json`],
  ] as const;
  return places.flatMap(([host, file]) => {
    try {
      return readIfThere(file)?.includes('pactclaw') ? [{ host, file }] : [];
    } catch {
      return [];
    }
  });
}
