import { HOST_NAMES, loadVerifier } from '../../hosts/index.ts';
import { type Client, findClient } from '../../hosts/shared/install/client.ts';
import type { Machine } from '../../hosts/shared/install/installer.ts';
import { readNotes } from '../../hosts/shared/install/record.ts';
import { userFolder } from '../../platform/home.ts';
import { installFolder } from '../context.ts';
import { INSTALLERS } from '../installers.ts';

/** How a host is wired. */
export interface HostWiring {
  readonly host: string;
  /** Files in which its hooks stand, as `install` would write them. */
  readonly files: readonly string[];
  /** Why it is not in force, a sentence each; none where it is. */
  readonly faults: readonly string[];
}

/** Files in which the hooks of a host may stand, in all its scopes. */
export function hookFilesOf(host: string, machine: Machine): string[] {
  const installer = INSTALLERS.find((one) => one.host === host);
  const wiring = { node: process.execPath, install: installFolder(), workspace: machine.project };
  return (installer?.scopes ?? []).flatMap((scope) => {
    const [hooks] = installer?.parts(machine, scope, wiring) ?? [];
    return hooks ? [hooks.file] : [];
  });
}

/**
 * The hosts that hooks of ours are registered with, or were by `install` and are no longer, and what keeps each
 * registration from being in force: the checks of `pactclaw verify` that only read. With `clients` the version of the
 * client on PATH counts too, which takes a start of each.
 */
export async function wiringOf(machine: Machine, clients: 'clients' | null = null): Promise<HostWiring[]> {
  const noted = readNotes(userFolder());
  const found: HostWiring[] = [];
  for (const host of HOST_NAMES) {
    const verifier = await loadVerifier(host);
    const standing = verifier.registered(machine).map(({ file }) => file);
    const files = new Set([...standing, ...hookFilesOf(host, machine).filter((file) => noted[file])]);
    if (files.size === 0) continue;
    const client = clients === null ? null : await findClient(verifier.clients, undefined);
    found.push({ host, files: [...files], faults: await faultsOf(host, machine, client) });
  }
  return found;
}

/** What keeps the hooks of a host from being in force. */
export async function faultsOf(
  host: string,
  machine: Machine,
  client: Client | null = null,
): Promise<string[]> {
  const verifier = await loadVerifier(host);
  const registered = verifier.registered(machine);
  const cwd = machine.project ?? machine.home;
  const checks = await verifier.wiring({ machine, registered, client, asked: undefined, cwd });
  return checks.flatMap(({ status, title, seen }) => (status === 'failed' ? [`${title}: ${seen}`] : []));
}
