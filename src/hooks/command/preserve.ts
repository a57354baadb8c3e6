import { sha256 } from '../../core/digest.ts';
import { messageOf } from '../../core/errors.ts';
import type { ResolvedTarget } from '../../core/facts.ts';
import { isMutatingRole, type ToolCall } from '../../core/tool-call.ts';
import type { Store, Tx } from '../../ledger/store.ts';
import { readFileState } from '../../platform/file-state.ts';
import type { FoundTarget } from '../../security/resolve-target.ts';
import { isInstalled } from '../pipeline.ts';
import type { Door, PreToolAnswer, PreToolRequest } from '../requests.ts';
import type { Workspace } from '../workspace.ts';
import type { PutBack } from './put-back.ts';

/** Largest file whose bytes are kept for the comparison after the call. */
const MAX_PREIMAGE = 16 << 20;

/** Note that tells our own snapshot index from one that a command has put there. */
export const INDEX_SEAL = 'shadow-index';

/** What PreToolUse leaves for PostToolUse. */
export interface CallDetail {
  readonly targets: readonly Pick<FoundTarget, 'asked' | 'relative' | 'absolute' | 'role'>[];
  readonly reasoning: string | null;
  /** The call is a handshake: its answer lets the session act. */
  readonly handshake: boolean;
  /** Snapshot of the work tree before a command; null when the call needs none. */
  readonly snapshot: string | null;
  /** SHA-256 of what the snapshot lists, so that nothing else can be stored under its name (F-10). */
  readonly listing?: string;
  /** Files that another command's undoing put back since; they count as they were then. */
  readonly putBack?: readonly PutBack[];
  /** Doors that have let it through, in the order it came to them; the hook alone when absent. */
  readonly doors?: readonly Door[];
  /** Digest of its arguments, by which another door's view of it is known. */
  readonly args?: string;
  /** An outcome without an id has been taken for this call's. */
  readonly ending?: boolean;
}

/** Calls whose effect cannot be read off them: commands, and tools that nobody declared (H-30, H-63). */
export function isWatched(call: ToolCall): boolean {
  return call.kind === 'execute' || (call.mutating && !call.declared);
}

/** PreimageHook: what the named files hold before the call, so that hashes never rest on the agent's word. */
export function keepPreimages(tx: Tx, request: PreToolRequest, targets: readonly ResolvedTarget[]): void {
  if (!isInstalled('PreimageHook') || isWatched(request.call)) return;
  const kept = new Set(tx.preimages(request.sessionId, request.call.callId).map(({ path }) => path));
  for (const target of targets) {
    // What an outer door has kept is older, and so it is what the call begins from.
    if (target.relative !== null && kept.has(target.relative)) continue;
    if (!isMutatingRole(target.role) || target.relative === null) continue;
    const state = readFileState(target.absolute, MAX_PREIMAGE);
    tx.putPreimage(request.sessionId, request.call.callId, {
      path: target.relative,
      hash: state?.hash ?? null,
      content: state?.content ?? null,
    });
  }
}

/**
 * SnapshotHook: records the work tree and the governing files before a command. Outside the lock, because other
 * agents need not wait for it. If it fails the call is refused: what cannot be undone must not run.
 */
export async function takeSnapshot(
  workspace: Workspace,
  store: Store,
  request: PreToolRequest,
  answer: PreToolAnswer,
): Promise<PreToolAnswer> {
  const { call, sessionId } = request;
  if (!isWatched(call) || !isInstalled('SnapshotHook')) return answer;
  try {
    // One that an outer door has taken is from before all; a later one would take changes of the call for old.
    const begun = store.pendingCall(sessionId, call.callId);
    if (begun && (JSON.parse(begun.detail) as CallDetail).snapshot !== null) return answer;
    const { Snapshots } = await import('../../security/snapshot.ts');
    const snapshots = new Snapshots(workspace.layout, workspace.snapshotMs, store.note(INDEX_SEAL));
    const snapshot = snapshots.take(true);
    const images = (await import('./vault.ts')).governingImages(workspace);
    store.transact((tx) => {
      const pending = tx.pendingCall(sessionId, call.callId);
      if (!pending) throw new Error('the call was not recorded');
      const detail = { ...(JSON.parse(pending.detail) as CallDetail), snapshot, listing: snapshots.digest };
      tx.putCall(sessionId, call.callId, { ...pending, detail: JSON.stringify(detail) });
      tx.putNote(INDEX_SEAL, snapshots.seal ?? '');
      // What another command's undoing has put back meanwhile stands: it was read here before that.
      const told = new Set(tx.preimages(sessionId, call.callId).map(({ path }) => path));
      for (const image of images) if (!told.has(image.path)) tx.putPreimage(sessionId, call.callId, image);
    });
    return answer;
  } catch (error) {
    return refuseUnwatched(store, request, answer, error);
  }
}

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
