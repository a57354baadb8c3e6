import { isObject } from '../../core/json.ts';
import { advance } from '../../core/machine.ts';
import type { Receipt } from '../../core/receipt.ts';
import { unnamedTool } from '../../core/unnamed.ts';
import type { PendingCall } from '../../ledger/port.ts';
import type { Tx } from '../../ledger/store.ts';
import { markOf } from '../../platform/file-mark.ts';
import { readSlice } from '../../platform/files.ts';
import { isWatched, writeDetail } from '../call-detail.ts';
import type { PostToolRequest } from '../requests.ts';
import type { Workspace } from '../workspace.ts';

/** How far back the receipts are searched for an attempt. */
const TAIL = 4 << 20;

function parsed(line: string): Receipt | null {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? (value as unknown as Receipt) : null;
  } catch {
    return null;
  }
}

/**
 * Ends a session whose command the state was taken from: the governing files were not held against what they were
 * before either, so that a human must look before anything else runs.
 */
export function haltLost(tx: Tx, sessionId: string, intentId: string | null): void {
  const session = tx.session(sessionId);
  const haltReason =
    'What a command changed is unknown: the orchestration state went away, or was told that it had ended, while it ran.';
  tx.putSession({ ...session, ...advance(session, { type: 'HALT' }), haltReason, haltIntent: intentId });
}

/**
 * A command that was allowed, and of which state.db knows nothing when it ends: the state went away while it ran, or
 * somebody else has ended it, as a command can that starts the hook itself. The receipts still tell of the attempt.
 * It has no snapshot, so it counts as a command that could not be checked. Null when there was no such attempt.
 */
export function lostCall(workspace: Workspace, { sessionId, call }: PostToolRequest): PendingCall | null {
  if (!isWatched(call)) return null;
  const { receipts } = workspace.layout;
  const size = markOf(receipts)?.size ?? 0;
  const from = Math.max(0, size - TAIL);
  const lines = readSlice(receipts, from, size - from)
    .toString('utf8')
    .split('\n');
  // A call that its host does not name is known by its tool alone: its arguments may have been changed since.
  const begins = call.unnamed ? unnamedTool(call.hostTool) : null;
  for (const line of lines.reverse()) {
    if (!line.includes(begins ?? JSON.stringify(call.callId))) continue;
    const receipt = parsed(line);
    const itsOwn = begins === null ? receipt?.call_id === call.callId : receipt?.call_id?.startsWith(begins);
    if (!receipt || !itsOwn || receipt.conversation_id !== sessionId) continue;
    if (receipt.phase !== 'pre' || receipt.status !== 'allowed') continue;
    const detail = writeDetail({ targets: [], reasoning: null, handshake: false, snapshot: null });
    return { receiptId: receipt.id, intentId: receipt.intent_id ?? null, detail };
  }
  return null;
}
