import type { Reading } from '../../ledger/port.ts';
import { type CallDetail, type ContainedCall, readDetail } from '../call-detail.ts';
import type { PostToolRequest } from '../requests.ts';

/** A call in flight that runs, or is to run, in a container. */
export interface Contained {
  readonly detail: CallDetail;
  readonly contained: ContainedCall;
}

/** What is kept of a call that is to run in a container; null for any other. */
export function containedCall(tables: Reading, { sessionId, call }: PostToolRequest): Contained | null {
  const pending = tables.pendingCall(sessionId, call.callId);
  const detail = pending ? readDetail(pending.detail) : null;
  return detail?.contained ? { detail, contained: detail.contained } : null;
}
