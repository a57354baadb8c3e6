import { sha256 } from '../../core/digest.ts';
import { advance } from '../../core/machine.ts';
import type { PendingCall, Reading } from '../../ledger/port.ts';
import type { Store } from '../../ledger/store.ts';
import { readDetail } from '../call-detail.ts';
import type { Undone } from '../command/undone.ts';
import { openStore } from '../open-store.ts';
import { settleStatuses } from '../settings/settle.ts';
import type { Workspace } from '../workspace.ts';
import { kindOf, violationOf } from './violation.ts';

type InFlight = PendingCall & { readonly sessionId: string; readonly callId: string };

/** Commands that run now, by what the engine has heard. */
function commandsAtWork(tables: Reading): InFlight[] {
  return tables.callsInFlight().filter(({ detail }) => readDetail(detail).snapshot !== null);
}

/** The store; where the state cannot be used nobody can tell who did it, and the wiring is put back. */
function openOr(workspace: Workspace, restore: () => unknown): Store {
  try {
    return openStore(workspace);
  } catch (error) {
    restore();
    throw error;
  }
}

/**
 * Puts the wiring of a host back when it was broken while a command ran, and blocks the intents of the commands that may
 * have done it (F-3): the host may never tell of their end. Where none runs a human did it, and nothing is done. Returns
 * what was put back. Throws when the state cannot be used; the wiring is put back then too.
 */
export async function restoreWiring(
  workspace: Workspace,
  restore: () => readonly Undone[],
): Promise<readonly Undone[]> {
  using store = openOr(workspace, restore);
  if (commandsAtWork(store).length === 0) return [];
  const undone = restore();
  const [first] = undone;
  if (first === undefined) return [];
  await store.commit((tx) => {
    const atWork = commandsAtWork(tx);
    for (const { sessionId, intentId, receiptId } of atWork) {
      const before = tx.session(sessionId);
      const session = { ...before, ...advance(before, { type: 'INTENT_REVOKED' }) };
      const reason = `${kindOf(first)}: ${first.path} was changed while a command ran`;
      tx.putSession(session);
      tx.receipt({
        phase: 'event',
        conversation_id: sessionId,
        tool: 'pactclaw.wiring_restored',
        args_hash: sha256(sessionId),
        result_hash: sha256(first.path),
        status: 'denied',
        risk: 'high',
        host: session.host ?? 'unknown',
        state: session.state,
        receipt_of: receiptId,
        target: first.path.slice(0, 1024),
        violation: violationOf(undone, atWork.length - 1),
        ...(intentId === null
          ? {}
          : { intent_id: intentId, intent_event: { event: 'blocked', intent_id: intentId, reason } }),
      });
      if (intentId !== null) tx.markTrip(intentId, false);
    }
    return undone;
  });
  await settleStatuses(workspace, store, null);
  return undone;
}
