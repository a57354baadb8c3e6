import type { ToolCall } from '../../core/tool-call.ts';
import type { Reading } from '../../ledger/port.ts';
import type { Tx } from '../../ledger/store.ts';
import { isWatched } from '../call-detail.ts';

function endedKey({ sessionId, callId }: ToolCall): string {
  return `ended:${sessionId}:${callId}`;
}

/**
 * Whether this very call was attempted before. A host gives each call an id of its own; a command that starts the
 * hook itself could otherwise begin its own call again, and its changes would be taken for what was there before.
 */
export function hasBegun(tables: Reading, call: ToolCall): boolean {
  // Without ids of the host, repeated calls cannot be recognised.
  if (call.unnamed) return false;
  return tables.pendingCall(call.sessionId, call.callId) !== null || tables.note(endedKey(call)) !== null;
}

/** Remembers that a command has ended, so that it cannot begin again. */
export function markEnded(tx: Tx, call: ToolCall): void {
  if (isWatched(call) && !call.unnamed) tx.putNote(endedKey(call), '');
}
