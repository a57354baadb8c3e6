import { messageOf } from '../../core/errors.ts';
import type { Decision } from '../../core/ruling.ts';
import type { Store } from '../../ledger/store.ts';
import { loadEngineEditor, writeStatus } from '../../orchestration/registry.ts';
import type { Workspace } from '../workspace.ts';

/** The intent that an accepted selection begins (H-13). */
export function wantsStart(decision: Decision): string | null {
  const effect = decision.effects.find((one) => one.type === 'start-intent');
  return effect?.type === 'start-intent' ? effect.intentId : null;
}

/**
 * Brings the human's file in step with what was decided: BLOCKED after a trip (H-86, H-89), IN_PROGRESS when a
 * pending intent begins. Runs under the lock, so that two writers never lose each other's change. A trip that
 * cannot be written stays recorded and blocks the intent by itself; it is tried again at the next event.
 */
export async function settleStatuses(
  workspace: Workspace,
  store: Store,
  start: string | null,
): Promise<void> {
  if (start === null && !store.trips().some((trip) => !trip.written)) return;
  const edit = await loadEngineEditor();
  store.transact((tx) => {
    const attempt = (id: string, work: () => void): boolean => {
      try {
        work();
        return true;
      } catch (error) {
        tx.putNote(`unsettled:${id}`, messageOf(error));
        return false;
      }
    };
    if (start !== null) attempt(start, () => writeStatus(workspace.layout, edit, start, 'IN_PROGRESS', null));
    for (const trip of tx.trips()) {
      if (trip.written) continue;
      const written = attempt(trip.intentId, () =>
        writeStatus(workspace.layout, edit, trip.intentId, 'BLOCKED', trip.reason),
      );
      if (written) tx.markTrip(trip.intentId, true);
    }
  });
}
