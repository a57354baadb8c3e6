import { sha256 } from '../../core/digest.ts';
import type { Store } from '../../ledger/store.ts';
import type { PreToolAnswer, PreToolRequest } from '../requests.ts';

/** Why an allowed call does not run after all. */
export interface LateRefusal {
  readonly sentence: string;
  readonly reason: string;
  readonly rule: string;
  readonly hook: string;
}

/** Turns an allowed call into a refused one, because what it does could not be bounded. */
export function refuseUnwatched(
  store: Store,
  request: PreToolRequest,
  answer: PreToolAnswer,
  { sentence, reason, rule, hook }: LateRefusal,
): PreToolAnswer {
  const text = `${sentence}\n${reason}. Nothing was run.`;
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
      violation: { kind: 'policy', rule, hook, message: sentence },
      ...(answer.receiptId === null ? {} : { receipt_of: answer.receiptId }),
    });
  });
  const refusal = { kind: 'policy' as const, sentence, remedy: reason };
  return {
    ...answer,
    text,
    hook,
    decision: { ...answer.decision, verdict: 'deny', refusal, refusedBy: rule, effects: [] },
  };
}
