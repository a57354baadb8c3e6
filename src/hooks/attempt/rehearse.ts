import { decide } from '../../core/decide.ts';
import type { Facts } from '../../core/facts.ts';
import type { Decision } from '../../core/ruling.ts';
import { openStore } from '../open-store.ts';
import { INSTALLED_RULES } from '../pipeline.ts';
import type { PreToolRequest } from '../requests.ts';
import type { Workspace } from '../workspace.ts';
import { factsUnderLock, prepare } from './prepare.ts';

/** Judges a call like the engine and records nothing: what `pactclaw check` shows. */
export async function rehearse(
  workspace: Workspace,
  request: PreToolRequest,
  asIntent: string | null,
): Promise<{ facts: Facts; decision: Decision }> {
  using store = openStore(workspace);
  const prepared = await prepare(workspace, store, request);
  return store.rehearse((tx) => {
    if (asIntent !== null)
      tx.putSession({
        ...tx.session(request.sessionId),
        state: 'CONTEXTUALIZED_ACTION',
        intentId: asIntent,
        pendingId: null,
      });
    const { facts } = factsUnderLock(workspace, tx, request, prepared);
    return { facts, decision: decide(facts, INSTALLED_RULES) };
  });
}
