import { digestOf, sha256 } from '../../core/digest.ts';
import { advance } from '../../core/machine.ts';
import type { IntentEvent, ReceiptDraft } from '../../core/receipt.ts';
import { quotedName } from '../../core/unseen.ts';
import type { ReceiptStatus } from '../../core/words.ts';
import { riskOf } from '../attempt/attempt-receipt.ts';
import { markEnded } from '../attempt/replay.ts';
import { withoutArguments, writeDetail } from '../call-detail.ts';
import { writersBeside } from '../command/others.ts';
import type { EventAnswer } from '../requests.ts';
import { addLesson } from '../session/lessons.ts';
import type { Recording, RecordStep } from '../steps.ts';
import { alarmOf, kindOf, refusalOf, violationOf } from './violation.ts';

/** What a violation does to the intent that the call was made for. */
function blockedBy({ request, pending, outcome }: Recording): IntentEvent | undefined {
  const [first] = outcome?.undone ?? [];
  if (!first || !pending?.intentId) return undefined;
  const reason = `${kindOf(first)}: ${quotedName(first.path)} was changed by ${request.call.hostTool}`;
  return { event: 'blocked', intent_id: pending.intentId, reason };
}

function noteOf({ request, pending }: Recording): string | undefined {
  if (!pending) return 'no attempt was recorded for this call';
  if (request.among) return 'found after the call was answered';
  return request.stillRunning ? 'the call goes on; this is what it had changed so far' : undefined;
}

function receiptOf(recording: Recording, intentEvent: IntentEvent | undefined, beside: number): ReceiptDraft {
  const { request, pending, session, written, outcome } = recording;
  const { call, ok } = request;
  const undone = outcome?.undone ?? [];
  const refused = outcome?.contained?.refused ?? [];
  const violation =
    undone.length > 0 ? violationOf(undone, beside) : refused.length > 0 ? refusalOf(refused) : undefined;
  const status: ReceiptStatus = violation ? 'denied' : ok ? 'allowed' : 'failed';
  const note = noteOf(recording);
  return {
    phase: 'post',
    conversation_id: request.sessionId,
    tool: call.tool,
    args_hash: call.identity,
    result_hash: digestOf({ ok, result: sha256(JSON.stringify(request.result) ?? 'null') }),
    status,
    risk: riskOf(call),
    host: request.host,
    call_id: call.callId,
    state: session.state,
    ...(call.agentId === undefined ? {} : { agent_id: call.agentId }),
    ...(pending?.intentId ? { intent_id: pending.intentId } : {}),
    ...(pending ? { receipt_of: pending.receiptId } : {}),
    ...(note === undefined ? {} : { note }),
    ...(written.length > 0 ? { trace: written.map((entry) => entry.entry_hash) } : {}),
    ...(violation ? { violation, target: [...undone, ...refused][0]?.path.slice(0, 1024) ?? '' } : {}),
    ...(call.kind === 'execute' && pending
      ? { execution: outcome?.contained ? 'contained' : 'watched' }
      : {}),
    ...(intentEvent ? { intent_event: intentEvent } : {}),
  };
}

/** Ends the call, or keeps it open with the call itself, for the events that it is compared at. */
function close({ tx, request, pending, detail }: Recording): void {
  const { call, sessionId } = request;
  if (detail?.contained && !detail.contained.told && pending) {
    // The host has not told of the end yet; the call must still be known then.
    const contained = { ...detail.contained, state: 'ended' as const };
    tx.putCall(sessionId, call.callId, { ...pending, detail: writeDetail({ ...detail, contained }) });
    return;
  }
  if (request.stillRunning && pending && detail) {
    tx.putCall(sessionId, call.callId, {
      ...pending,
      detail: writeDetail({ ...detail, call: withoutArguments(call), running: true }),
    });
    return;
  }
  tx.endCall(sessionId, call.callId);
  markEnded(tx, call);
}

/** Folds the recording hooks over an ended call and keeps what they say, with its receipt, in the caller's transaction. */
export function recordEnd(recording: Recording, steps: readonly RecordStep[]): EventAnswer {
  const { tx, request, outcome } = recording;
  for (const step of steps) step(recording);
  const undone = outcome?.undone ?? [];
  if (undone.length > 0)
    recording.session = { ...recording.session, ...advance(recording.session, { type: 'INTENT_REVOKED' }) };
  const blocked = blockedBy(recording);
  const beside = undone.length > 0 ? writersBeside(tx, request) : 0;
  const receipt = tx.receipt(receiptOf(recording, blocked, beside));
  if (blocked) {
    tx.markTrip(blocked.intent_id, false);
    addLesson(tx, request.sessionId, {
      intentId: blocked.intent_id,
      text: `${request.call.hostTool}: ${receipt.violation?.message ?? ''}`,
    });
  }
  tx.putSession(recording.session);
  close(recording);
  if (undone.length === 0) return { context: recording.context, alarm: null };
  const alarm = alarmOf(undone, request.call, blocked?.intent_id ?? null, beside);
  return { context: recording.context, alarm };
}
