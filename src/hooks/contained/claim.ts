import { sha256 } from '../../core/digest.ts';
import { maskSecrets } from '../../core/mask-secrets.ts';
import type { CallInFlight } from '../../ledger/port.ts';
import type { Store, Tx } from '../../ledger/store.ts';
import { type CallDetail, readDetail, writeDetail } from '../call-detail.ts';

/** Who runs a command: the id of its run, and the process with the time that it began. */
export interface Runner {
  readonly run: string;
  readonly pid: number;
  readonly began: string;
}

/** A call that a run has taken: nobody else can. */
export interface Claimed extends CallInFlight {
  readonly known: CallDetail;
}

/**
 * The newest one: of an older one with the same text a human may have said no. However long a human has thought about a
 * question of the host, the call is open until it has ended.
 */
function findDue(tx: Tx, sessionId: string, digest: string): Claimed | null {
  for (const { callId, detail } of tx.callsBeginningWith(sessionId, '').toReversed()) {
    if (!detail.includes(digest)) continue;
    const known = readDetail(detail);
    const pending = tx.pendingCall(sessionId, callId);
    if (pending && known.contained?.state === 'due' && known.contained.command === digest)
      return { ...pending, sessionId, callId, known };
  }
  return null;
}

/**
 * Takes the open, allowed call of a session that a command's text belongs to; null when there is none, or it runs already.
 * The first one that asks has it: two equal calls at the same time have two runs.
 */
export function claimCommand(
  store: Store,
  sessionId: string,
  command: string,
  runner: Runner,
): Claimed | null {
  const digest = sha256(command);
  return store.transact((tx) => {
    const due = findDue(tx, sessionId, digest);
    if (due === null) return null;
    const contained = { state: 'running' as const, command: digest, ...runner };
    const known = { ...due.known, contained };
    const { receiptId, intentId, callId } = due;
    tx.putCall(sessionId, callId, { receiptId, intentId, detail: writeDetail(known) });
    return { ...due, known };
  });
}

/** Whether a command belongs to an open call that is watched and not contained: it runs in the real tree. */
export function isWatchedCommand(store: Store, sessionId: string, command: string): boolean {
  const kept = maskSecrets(command);
  return store.callsBeginningWith(sessionId, '').some(({ detail }) => {
    const { snapshot, contained, call } = readDetail(detail);
    return snapshot !== null && contained === undefined && call?.command === kept;
  });
}
