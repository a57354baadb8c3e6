import type { HostAdapter } from '../../../src/hosts/adapter.ts';
import {
  ADAPTER_NAMES,
  HOST_NAMES,
  loadAdapter,
  loadInstaller,
  loadVerifier,
} from '../../../src/hosts/index.ts';
import type { HostInstaller } from '../../../src/hosts/shared/install/installer.ts';
import type { HostVerifier } from '../../../src/hosts/shared/verify/verifier.ts';

/** Every host with all that is known of it. */
export const ADAPTERS: Readonly<Record<string, HostAdapter>> = Object.fromEntries(
  await Promise.all(ADAPTER_NAMES.map(async (name) => [name, await loadAdapter(name)] as const)),
);
export const INSTALLERS: readonly HostInstaller[] = await Promise.all(HOST_NAMES.map(loadInstaller));
export const VERIFIERS: readonly HostVerifier[] = await Promise.all(HOST_NAMES.map(loadVerifier));

/** The installer of one host. */
export function installerNamed(host: string): HostInstaller {
  const found = INSTALLERS.find((one) => one.host === host);
  if (found === undefined) throw new Error(`no host is named ${host}`);
  return found;
}

/** The verifier of one host. */
export function verifierNamed(host: string): HostVerifier {
  const found = VERIFIERS.find((one) => one.host === host);
  if (found === undefined) throw new Error(`no host is named ${host}`);
  return found;
}
