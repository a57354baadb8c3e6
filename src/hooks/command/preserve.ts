import { sha256 } from '../../core/digest.ts';
import { messageOf } from '../../core/errors.ts';
import type { Store } from '../../ledger/store.ts';
import { isWatched, readDetail, writeDetail } from '../call-detail.ts';
import type { PreToolAnswer, PreToolRequest } from '../requests.ts';
import type { GuardStep } from '../steps.ts';
import type { Workspace } from '../workspace.ts';
import { INDEX_SEAL } from './index-seal.ts';

/**
 * Records the work tree and the governing files for a call in flight that has no snapshot yet. Outside the lock, because
 * other agents need not wait for it.
 */
export async function keepSnapshot(
  workspace: Workspace,
  store: Store,
  sessionId: string,
  callId: string,
): Promise<void> {
  const { Snapshots } = await import('../../security/snapshot.ts');
  const snapshots = new Snapshots(workspace.layout, workspace.snapshotMs, store.note(INDEX_SEAL));
  const warm = workspace.proofs?.().tree;
  const snapshot = warm ? (await warm.take(snapshots, true)).tree : snapshots.take(true);
  const images = (await import('./vault.ts')).governingImages(workspace);
  store.transact((tx) => {
    const pending = tx.pendingCall(sessionId, callId);
    if (!pending) throw new Error('the call was not recorded');
    const detail = writeDetail({ ...readDetail(pending.detail), snapshot, listing: snapshots.digest });
    tx.putCall(sessionId, callId, { ...pending, detail });
    tx.putNote(INDEX_SEAL, snapshots.seal ?? '');
    // What another command's undoing has put back meanwhile stands: it was read here before that.
    const told = new Set(tx.preimages(sessionId, callId).map(({ path }) => path));
    for (const image of images) if (!told.has(image.path)) tx.putPreimage(sessionId, callId, image);
  });
}

/**
 * SnapshotHook: takes the snapshot that a command is compared with. If it fails the call is refused, because a
 * command that cannot be undone must not run.
 */
export const takeSnapshot: GuardStep = async (workspace, store, request, answer) => {
  const { call, sessionId } = request;
  if (!isWatched(call)) return answer;
  try {
    // Keep the snapshot of an outer door: it is older, and a later one would miss changes that the call has already
    // made.
    const begun = store.pendingCall(sessionId, call.callId);
    if (begun && readDetail(begun.detail).snapshot !== null) return answer;
    await keepSnapshot(workspace, store, sessionId, call.callId);
    return answer;
  } catch (error) {
    return refuseUnwatched(store, request, answer, error);
  }
};

function refuseUnwatched(
  store: Store,
  request: PreToolRequest,
  answer: PreToolAnswer,
  error: unknown,
): PreToolAnswer {
  const sentence = 'Policy Violation: what the command changes could not be watched';
  const text = `${sentence}\n${messageOf(error)}. Nothing was run.`;
  store.transact((tx) => {
    tx.endCall(request.sessionId, request.call.callId);
    tx.receipt({
      phase: 'post',
      conversation_id: request.sessionId,
      tool: request.call.tool,
      args_hash: request.call.identity,
      result_hash: sha256(text),
      status: 'denied',
      risk: 'high',
      host: request.host,
      violation: { kind: 'policy', rule: 'snapshot', hook: 'SnapshotHook', message: sentence },
      ...(answer.receiptId === null ? {} : { receipt_of: answer.receiptId }),
    });
  });
  const refusal = { kind: 'policy' as const, sentence, remedy: messageOf(error) };
  return {
    ...answer,
    text,
    hook: 'SnapshotHook',
    decision: { ...answer.decision, verdict: 'deny', refusal, refusedBy: 'snapshot', effects: [] },
  };
}
