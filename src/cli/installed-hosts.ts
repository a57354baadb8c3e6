import type { Workspace } from '../hooks/workspace.ts';
import { INSTALLERS } from '../hosts/installers.ts';
import { readIfThere } from '../platform/files.ts';
import { machineFor } from './commands/install.ts';
import { installFolder } from './context.ts';

/** Files in which a host's hooks stand, and whose they are. */
export function installedHosts({ layout, ground }: Workspace): { host: string; file: string }[] {
  const machine = { ...machineFor(layout.root), home: ground.home };
  const wiring = { node: process.execPath, install: installFolder(), workspace: layout.root };
  return INSTALLERS.flatMap(({ host, scopes, parts }) =>
    scopes.flatMap((scope) => {
      const [hooks] = parts(machine, scope, wiring);
      if (!hooks) return [];
      try {
        const text = readIfThere(hooks.file)?.toString('utf8') ?? '';
        return hooks.strip(text, null) === text ? [] : [{ host, file: hooks.file }];
      } catch {
        // What cannot be read as settings holds no hooks for the host either.
        return [];
      }
    }),
  );
}
