import { openStore } from '../open-store.ts';
import type { Workspace } from '../workspace.ts';

/** Host ids of the calls of a session that were allowed and have not ended; none when the state cannot be read. */
export function openCalls(workspace: Workspace, sessionId: string): readonly string[] {
  try {
    using store = openStore(workspace);
    return store.callsInFlight(sessionId).map(({ callId }) => callId);
  } catch {
    // The call that asks will meet the same fault and be refused for it.
    return [];
  }
}
