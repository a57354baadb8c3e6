import { readChanges, type TreeChange } from '../../execution/changes.ts';
import { applyJournal, journalOf } from '../../execution/commit.ts';
import type { Layer } from '../../execution/plan.ts';
import { isTemporary } from '../../security/scratch.ts';
import type { Workspace } from '../workspace.ts';

/** Whether a change in a folder for scratch is of what nobody owns, in a form that can be real. */
function isFree(workspace: Workspace, { folder }: Layer, { name, before, after }: TreeChange): boolean {
  if (after?.kind === 'other' || ((after?.mode ?? 0) & 0o6000) !== 0) return false;
  const path = `${folder}/${name}`;
  return isTemporary(path, (after ?? before) === after ? 'write' : 'delete', workspace.ground);
}

/**
 * Makes real what a command left in the system's temporary folders, so that other commands and the host's own tools find
 * it there (U-9). What is not scratch by the rule for all tools stays behind, with sockets and pipes.
 */
export function keepScratch(workspace: Workspace, layers: readonly Layer[]): void {
  for (const layer of layers) {
    const { folder, upper } = layer;
    const view = { lower: Buffer.from(folder), upper: Buffer.from(upper), merged: null, beganNs: 0n };
    const free = [...readChanges(view)].filter((change) => isFree(workspace, layer, change));
    if (free.length > 0) applyJournal(journalOf({ id: 'scratch', run: '', record: null }, layer, free));
  }
}
