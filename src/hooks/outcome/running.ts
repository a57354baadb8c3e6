import type { Store } from '../../ledger/store.ts';
import { readDetail, writeDetail } from '../call-detail.ts';
import type { EventOrigin, PostToolRequest } from '../requests.ts';
import type { Workspace } from '../workspace.ts';

/**
 * Calls that go on after their host has moved on (F-1): a command that the client put into the background. Nobody tells
 * when they write, so that they are compared at every event of their session, each time from where they were left.
 */

/** Takes the snapshot that the next comparison begins from. */
export async function renewSnapshot(
  workspace: Workspace,
  store: Store,
  { sessionId, call: { callId } }: PostToolRequest,
): Promise<void> {
  const { keepSnapshot } = await import('../command/preserve.ts');
  store.transact((tx) => {
    const pending = tx.pendingCall(sessionId, callId);
    if (!pending) return;
    // What was put back and recorded so far is in the new snapshot: the call begins anew, as one without a snapshot.
    const { putBack: _, ...detail } = readDetail(pending.detail);
    tx.endCall(sessionId, callId);
    tx.putCall(sessionId, callId, { ...pending, detail: writeDetail({ ...detail, snapshot: null }) });
  });
  await keepSnapshot(workspace, store, sessionId, callId);
}

/**
 * Compares the calls of a session that go on, before its next event is handled. Null when there are none, or none has
 * done what it may not; else what the agent must hear. Throws when a comparison cannot be recorded.
 */
export async function compareRunning(
  workspace: Workspace,
  store: Store,
  { sessionId, host }: EventOrigin,
): Promise<string | null> {
  const alarms: string[] = [];
  for (const { callId, detail } of store.callsInFlight(sessionId)) {
    // Reading each detail would cost every event of a session; only these few hold the word.
    if (!detail.includes('"running":true')) continue;
    const { call: kept, running, contained } = readDetail(detail);
    if (!running || !kept || contained) continue;
    const { settleCall } = await import('./settle-call.ts');
    const call = { ...kept, callId, args: {} };
    const request = { sessionId, host, transcript: null, call, ok: true, result: null, stillRunning: true };
    const { alarm } = await settleCall(workspace, store, request, true);
    await renewSnapshot(workspace, store, request);
    if (alarm !== null) alarms.push(alarm);
  }
  return alarms.length === 0 ? null : alarms.join('\n');
}
