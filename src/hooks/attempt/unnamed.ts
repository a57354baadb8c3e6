import { asDecoded, unnamedTool } from '../../core/unnamed.ts';
import type { Reading } from '../../ledger/port.ts';
import type { Store } from '../../ledger/store.ts';
import { randomHex } from '../../platform/clock.ts';
import { isWatched, readDetail, writeDetail } from '../call-detail.ts';
import type { PostToolRequest, PreToolRequest } from '../requests.ts';

/** Gives a call that its host does not name an id of its own, so that equal ones in flight are not taken for one. */
export function nameCall(request: PreToolRequest): PreToolRequest {
  const { call } = request;
  if (!call.unnamed) return request;
  return { ...request, call: { ...call, callId: `${call.callId}:${randomHex(8)}` } };
}

/**
 * The call in flight that began first and that no other outcome has claimed; null when there is none. A command whose
 * snapshot is still being taken has not run yet.
 */
function oldest(tables: Reading, { sessionId, call }: PostToolRequest, prefix: string): string | null {
  const found = tables.callsBeginningWith(sessionId, prefix).find((one) => {
    const { ending, snapshot } = readDetail(one.detail);
    return ending !== true && (snapshot !== null || !isWatched(call));
  });
  return found?.callId ?? null;
}

/**
 * Finds the attempt that an outcome without an id belongs to, and claims it in one transaction: outcomes of equal calls
 * come at once. Equal calls are taken in the order they began; it does not matter which is which. Where the arguments
 * are other than at the attempt (a human or another hook changed them in between), the oldest call of that tool it is.
 */
export function claimCall(store: Store, request: PostToolRequest): PostToolRequest {
  const { call, sessionId } = request;
  if (!call.unnamed) return request;
  const callId = store.transact((tx) => {
    const found =
      oldest(tx, request, `${asDecoded(call)}:`) ?? oldest(tx, request, unnamedTool(call.hostTool));
    const pending = found === null ? null : tx.pendingCall(sessionId, found);
    if (found === null || pending === null) return null;
    const detail = { ...readDetail(pending.detail), ending: true };
    tx.putCall(sessionId, found, { ...pending, detail: writeDetail(detail) });
    return found;
  });
  return callId === null ? request : { ...request, call: { ...call, callId } };
}
