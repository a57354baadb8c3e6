import type { SessionRow } from '../../ledger/port.ts';
import type { Store } from '../../ledger/store.ts';
import { toFailSafe } from '../fail-safe.ts';
import { openStore } from '../open-store.ts';
import type { Standing } from '../requests.ts';
import { effectiveIntents, loadSettings } from '../settings/settings.ts';
import type { Workspace } from '../workspace.ts';
import { actionContext, interceptContext } from './context.ts';

/** What an agent in a halted session is told; only a human can end that (H-91). */
export function haltText(reason: string | null): string {
  return `${reason ?? 'The circuit breaker tripped.'} This session is halted: no tool runs. A human must set the intent to IN_PROGRESS in .orchestration/active_intents.yaml first.`;
}

/** A session, and whether every intent counts as the human's file has it. Spares the lock, which only a change needs. */
function look(store: Store, sessionId: string): { readonly session: SessionRow; readonly plain: boolean } {
  return store.look(() => ({
    session: store.session(sessionId),
    plain: store.isUpToDate() && store.trips().length === 0,
  }));
}

/**
 * Where a session stands and what its agent is to be told there (H-109). Reads only. State that cannot be used reads as
 * a session that may do nothing, with the reason as its text (H-105).
 */
export async function standing(workspace: Workspace, sessionId: string): Promise<Standing> {
  try {
    using store = openStore(workspace);
    const settings = await loadSettings(workspace, store);
    const { session, plain } = look(store, sessionId);
    const { state, intentId, haltReason } = session;
    const intents = plain
      ? settings.intents
      : store.rehearse((tx) => effectiveIntents(tx, settings.intents, sessionId));
    const acting = state === 'CONTEXTUALIZED_ACTION' ? actionContext(workspace, intents, intentId) : null;
    const context =
      state === 'HALTED'
        ? haltText(haltReason)
        : (acting ?? interceptContext(workspace, intents, 'with house texts'));
    return { state, intentId, haltReason, context };
  } catch (error) {
    const { reason, remedy } = toFailSafe(error);
    return {
      state: 'REQUEST',
      intentId: null,
      haltReason: null,
      context: `Fail-Safe Default: ${reason}\nEvery tool is refused until a human restores the state. ${remedy}`,
    };
  }
}
