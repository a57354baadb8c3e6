import { sha256 } from '../../core/digest.ts';
import type { ReceiptDraft } from '../../core/receipt.ts';
import { USER_REQUEST_EVENT } from '../../ledger/ingest.ts';
import { toFailSafe } from '../fail-safe.ts';
import { openStore } from '../open-store.ts';
import { compareRunning } from '../outcome/running.ts';
import { stepsAt } from '../pipeline.ts';
import type { EventAnswer, EventOrigin } from '../requests.ts';
import { effectiveIntents, loadSettings } from '../settings/settings.ts';
import { settleStatuses } from '../settings/settle.ts';
import type { Moment } from '../steps.ts';
import type { Workspace } from '../workspace.ts';

/** An event of a session that is no tool call, and the place of the pipeline that handles it. */
export interface SessionEvent {
  readonly at: 'session-start' | 'user-prompt' | 'before-compact' | 'after-compact' | 'stop';
  readonly byHuman?: boolean;
  /** What the door says of the event, for the receipt. */
  readonly note?: string;
}

/** Name by which the receipt of an event is known. */
function eventName({ at, byHuman }: SessionEvent): string {
  switch (at) {
    case 'session-start':
      return 'pactclaw.session_start';
    case 'user-prompt':
      return byHuman ? USER_REQUEST_EVENT : 'pactclaw.host_request';
    case 'before-compact':
      return 'pactclaw.pre_compact';
    case 'after-compact':
      return 'pactclaw.context_reinjected';
    case 'stop':
      return 'pactclaw.stop';
  }
}

function receiptOf(event: SessionEvent, { origin, session, receipt }: Moment): ReceiptDraft {
  return {
    phase: 'event',
    conversation_id: origin.sessionId,
    tool: eventName(event),
    args_hash: sha256(origin.sessionId),
    result_hash: sha256(session.state),
    status: 'allowed',
    risk: 'low',
    host: origin.host,
    state: session.state,
    ...(session.intentId === null ? {} : { intent_id: session.intentId }),
    ...receipt,
  };
}

/**
 * Folds the hooks of an event over the session, in one durable transaction with the event's receipt. Never throws: an
 * error becomes the alarm that names it.
 */
export async function sessionEvent(
  workspace: Workspace,
  origin: EventOrigin,
  event: SessionEvent,
): Promise<EventAnswer> {
  try {
    using store = openStore(workspace);
    const alarm = await compareRunning(workspace, store, origin);
    const steps = await stepsAt(event.at);
    const settings = await loadSettings(workspace, store);
    const answer = await store.commit((tx) => {
      settings.remember(tx);
      const moment: Moment = {
        workspace,
        tx,
        origin,
        settings,
        intents: effectiveIntents(tx, settings.intents, origin.sessionId),
        byHuman: event.byHuman ?? false,
        session: tx.session(origin.sessionId),
        context: null,
        compact: false,
        receipt: event.note === undefined ? {} : { note: event.note },
      };
      for (const step of steps) step(moment);
      tx.putSession(moment.session);
      tx.receipt(receiptOf(event, moment));
      const { context, compact } = moment;
      return { context, alarm, ...(compact ? { compact } : {}) };
    });
    await settleStatuses(workspace, store, null);
    return answer;
  } catch (error) {
    const { reason, file, remedy } = toFailSafe(error);
    return {
      context: null,
      alarm: `Fail-Safe Default: ${reason}${file === null ? '' : ` (${file})`}\n${remedy}`,
    };
  }
}
