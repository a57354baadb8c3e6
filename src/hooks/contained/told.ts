import { sweepRuns } from '../../execution/runs.ts';
import type { Store } from '../../ledger/store.ts';
import { beganAt } from '../../platform/container.ts';
import { markEnded } from '../attempt/replay.ts';
import { writeDetail } from '../call-detail.ts';
import { settleCall } from '../outcome/settle-call.ts';
import type { EventAnswer, PostToolRequest } from '../requests.ts';
import type { Workspace } from '../workspace.ts';
import type { Contained } from './call.ts';
import { seamFault } from './setting.ts';

const NOTHING: EventAnswer = { context: null, alarm: null };

/** Whether the process that runs a command is still there. */
function isAtWork({ contained }: Contained): boolean {
  const { pid, began } = contained;
  return pid !== undefined && began !== undefined && beganAt(pid) === began;
}

/**
 * The host tells that a contained command has ended. Mostly all is done by then: the program that ran it has judged and
 * recorded what it changed. One that goes on (the host has moved it to the background) is recorded at its end. One whose
 * runner was killed has changed nothing, nor has one that was never run. Where the host's seam is gone, one that nobody has
 * run in a container may have run in the real tree: nobody knows what it did, which counts as a violation.
 */
export async function endTold(
  workspace: Workspace,
  store: Store,
  request: PostToolRequest,
  known: Contained,
): Promise<EventAnswer> {
  const { sessionId, call } = request;
  const { detail, contained } = known;
  // Through the seam nothing runs without being claimed: the host has not run it (a folder that is gone, a human's no).
  const unrun = contained.state === 'due' && seamFault(request.host, workspace.ground.install) === null;
  if (contained.state === 'due' && !unrun) {
    const { contained: _, ...uncontained } = detail;
    store.transact((tx) => {
      const pending = tx.pendingCall(sessionId, call.callId);
      if (pending) tx.putCall(sessionId, call.callId, { ...pending, detail: writeDetail(uncontained) });
    });
    return settleCall(workspace, store, request);
  }
  if (contained.state === 'ended') {
    store.transact((tx) => {
      tx.endCall(sessionId, call.callId);
      markEnded(tx, call);
    });
    return NOTHING;
  }
  if (!unrun && isAtWork(known)) {
    store.transact((tx) => {
      const pending = tx.pendingCall(sessionId, call.callId);
      if (!pending) return;
      const told = { ...detail, contained: { ...contained, told: true } };
      tx.putCall(sessionId, call.callId, { ...pending, detail: writeDetail(told) });
    });
    return NOTHING;
  }
  if (!unrun) sweepRuns(workspace.ground.root);
  return settleCall(workspace, store, { ...request, ok: false, stillRunning: false }, false, {
    undone: [],
    watched: null,
    contained: { deltas: [], refused: [] },
  });
}
