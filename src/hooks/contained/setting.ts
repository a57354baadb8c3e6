import type { Policy } from '../../config/policy.ts';
import { FOOTPRINTS } from '../../core/footprints/index.ts';
import type { Setting } from '../../execution/prepare.ts';
import { userNumber } from '../../platform/container.ts';
import { expandHome, namedFolder } from '../../platform/home.ts';
import type { Workspace } from '../workspace.ts';

/** The program that a host is told to run its agent's commands with. */
export function seamProgram(install: string): string {
  return `${install}/bin/pactclaw-exec`;
}

/** The script that makes a container. */
export function containerScript(install: string): string {
  return `${install}/bin/pactclaw-container`;
}

/** Why commands of a host do not come to us, or null when they do, as the environment of its hook tells. */
export function seamFault(host: string, install: string): string | null {
  const seam = FOOTPRINTS.find((one) => one.host === host)?.seam;
  if (!seam) return 'this host has no way to have its commands run by another program';
  return namedFolder(seam.variable) === seamProgram(install)
    ? null
    : `${seam.variable} does not name PactClaw in this host's environment`;
}

/** What containers of a workspace are made for. */
export function settingOf({ ground }: Workspace, policy: Pick<Policy, 'forbiddenPaths'>): Setting {
  const temporary = namedFolder('TMPDIR')?.replace(/\/+$/, '') ?? null;
  return {
    root: ground.root,
    home: ground.home,
    uid: userNumber(),
    temporary: temporary?.startsWith('/') ? temporary : null,
    forbidden: policy.forbiddenPaths.map((path) => expandHome(path, ground.home)),
  };
}
