import { messageOf } from '../../core/errors.ts';
import type { Store } from '../../ledger/store.ts';
import { isWatched, readDetail, writeDetail } from '../call-detail.ts';
import type { GuardStep } from '../steps.ts';
import type { Workspace } from '../workspace.ts';
import { INDEX_SEAL } from './index-seal.ts';
import { refuseUnwatched } from './refuse-unwatched.ts';

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
    const detail = begun ? readDetail(begun.detail) : null;
    if (detail?.contained || (detail && detail.snapshot !== null)) return answer;
    await keepSnapshot(workspace, store, sessionId, call.callId);
    return answer;
  } catch (error) {
    return refuseUnwatched(store, request, answer, {
      sentence: 'Policy Violation: what the command changes could not be watched',
      reason: messageOf(error),
      rule: 'snapshot',
      hook: 'SnapshotHook',
    });
  }
};
