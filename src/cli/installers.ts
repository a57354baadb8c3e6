import { PactError } from '../core/errors.ts';
import { HOST_NAMES, loadInstaller } from '../hosts/index.ts';
import type { HostInstaller } from '../hosts/shared/install/installer.ts';

/** Every host that PactClaw can be registered with. */
export const INSTALLERS: readonly HostInstaller[] = await Promise.all(HOST_NAMES.map(loadInstaller));

/** The installer of a host that the command line has admitted. */
export function installerOf(host: string): HostInstaller {
  const found = INSTALLERS.find((one) => one.host === host);
  if (found) return found;
  throw new PactError('INVALID_INPUT', `unknown host ${host}`, 'See `pactclaw install --help`.');
}
