import { imageOf, undoTampering } from '../../hooks/command/vault.ts';
import { restoreWiring } from '../../hooks/outcome/broken-wiring.ts';
import type { Workspace } from '../../hooks/workspace.ts';
import { readNotes } from '../../hosts/shared/install/record.ts';
import type { Preimage } from '../../ledger/port.ts';
import { randomHex } from '../../platform/clock.ts';
import { userFolder } from '../../platform/home.ts';
import { pollFile } from '../../platform/watch.ts';
import { machineFor } from '../commands/install.ts';
import { logEvent } from '../operator-log.ts';
import { faultsOf, hookFilesOf, wiringOf } from './faults.ts';

/** Hosts read changed settings about a second late; this is well before that. */
const EVERY_MS = 200;

/** `uninstall` writes the settings first and its notes last; no host has read the settings by then. */
const NOTES_MS = 150;

/** The wiring of one host as it was when it was last in force. */
interface Kept {
  readonly host: string;
  /** Files of which the notes of `install` told at the start. */
  readonly noted: readonly string[];
  files: readonly Preimage[];
  faults: ReadonlySet<string>;
}

/**
 * Watches the files that wire the hosts of a workspace for as long as this process lives. Settings that a command has
 * changed so that hooks are gone or switched off are put back at once, because the host reads them while the command
 * runs and would then tell nobody of its end (F-3).
 */
export async function keepWiring(workspace: Workspace): Promise<{ close(): Promise<void> }> {
  const machine = { ...machineFor(workspace.layout.root), home: workspace.ground.home };
  const notes = readNotes(userFolder());
  const hosts: Kept[] = (await wiringOf(machine)).map(({ host, faults }) => ({
    host,
    noted: hookFilesOf(host, machine).filter((file) => notes[file]),
    files: hookFilesOf(host, machine).map(imageOf),
    faults: new Set(faults),
  }));
  let looking = Promise.resolve();
  const look = () => {
    looking = looking.then(() => lookAt(workspace, hosts)).catch(report);
  };
  const files = new Set(hosts.flatMap((kept) => kept.files.map(({ path }) => path)));
  const watchers = [...files].map((file) => pollFile(file, EVERY_MS, look));
  return { close: async () => void (await Promise.all(watchers.map((watcher) => watcher.close()))) };
}

function report(error: unknown): void {
  logEvent('error', 'wiring_not_kept', { reason: error instanceof Error ? error.message : String(error) });
}

async function lookAt(workspace: Workspace, hosts: readonly Kept[]): Promise<void> {
  const machine = { ...machineFor(workspace.layout.root), home: workspace.ground.home };
  for (const kept of hosts) {
    const faults = await faultsOf(kept.host, machine);
    if (faults.every((fault) => kept.faults.has(fault)) || (await wasUninstalled(kept))) {
      kept.files = kept.files.map(({ path }) => imageOf(path));
      kept.faults = new Set(faults);
    } else await restoreWiring(workspace, () => putBack(workspace, kept.files));
  }
}

/** True once the notes tell of none of the files any more: a human has run `uninstall`, or a wrapped run has ended. */
async function wasUninstalled({ noted }: Kept): Promise<boolean> {
  if (noted.length === 0) return false;
  await new Promise((resolve) => setTimeout(resolve, NOTES_MS));
  const notes = readNotes(userFolder());
  return noted.every((file) => notes[file] === undefined);
}

/** Puts files back as they were; what stood there instead is kept in quarantine. */
function putBack(workspace: Workspace, files: readonly Preimage[]) {
  const folder = `${workspace.layout.quarantine}/wiring-${randomHex(4)}`;
  const { root } = workspace.ground;
  return files.flatMap((before) => {
    const now = imageOf(before.path);
    if (now.hash === before.hash) return [];
    const place = `${folder}/${before.path.replaceAll('/', '%')}`;
    undoTampering({ before, now, place: null }, root, place);
    const path = before.path.startsWith(`${root}/`) ? before.path.slice(root.length + 1) : before.path;
    const kept = now.content === null ? null : place.slice(root.length + 1);
    return [{ path, why: 'it wires the agent host', kept }];
  });
}
