import { sha256 } from '../../core/digest.ts';
import type { Intent } from '../../core/intent.ts';
import { advance, type SessionEvent } from '../../core/machine.ts';
import type { ReceiptDraft } from '../../core/receipt.ts';
import { USER_REQUEST_EVENT } from '../../ledger/ingest.ts';
import type { SessionRow } from '../../ledger/session-tables.ts';
import type { Tx } from '../../ledger/store.ts';
import { appendLesson } from '../../orchestration/brain.ts';
import { nowIso } from '../../platform/clock.ts';
import { usageOn } from '../attempt/attempt-receipt.ts';
import { toFailSafe } from '../fail-safe.ts';
import { openStore } from '../open-store.ts';
import { isInstalled } from '../pipeline.ts';
import type { EventAnswer, EventOrigin } from '../requests.ts';
import { effectiveIntents, loadSettings, type Settings } from '../settings/settings.ts';
import { settleStatuses } from '../settings/settle.ts';
import type { Workspace } from '../workspace.ts';
import { actionContext, interceptContext } from './context.ts';
import { keepLessons, waitingLessons } from './lessons.ts';
import { haltText } from './standing.ts';
import { beginRequest, countsFor, readUsage } from './usage.ts';

const NOTHING: EventAnswer = { context: null, alarm: null };

function eventReceipt(
  origin: EventOrigin,
  tool: string,
  session: SessionRow,
  more: Partial<ReceiptDraft> = {},
): ReceiptDraft {
  return {
    phase: 'event',
    conversation_id: origin.sessionId,
    tool,
    args_hash: sha256(origin.sessionId),
    result_hash: sha256(session.state),
    status: 'allowed',
    risk: 'low',
    host: origin.host,
    state: session.state,
    ...(session.intentId === null ? {} : { intent_id: session.intentId }),
    ...more,
  };
}

/** Runs an event under the lock with settings that still hold; an error becomes the alarm that names it. */
async function onEvent(
  workspace: Workspace,
  work: (tx: Tx, settings: Settings, intents: (session: string) => readonly Intent[]) => EventAnswer,
): Promise<EventAnswer> {
  try {
    using store = openStore(workspace);
    const settings = await loadSettings(workspace, store);
    const answer = await store.commit((tx) => {
      settings.remember(tx);
      return work(tx, settings, (session) => effectiveIntents(tx, settings.intents, session));
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

/** Counts what the transcript gained, for the intent that the session works for (H-85). */
function countUsage(tx: Tx, origin: EventOrigin, session: SessionRow): Partial<ReceiptDraft> {
  return usageOn(countsFor(tx, session), readUsage(tx, origin));
}

/** SessionHook: a session begins, resumes or is cleared; it starts at Request (H-18) and hears of the intents (H-49). */
export function sessionStart(workspace: Workspace, origin: EventOrigin): Promise<EventAnswer> {
  if (!isInstalled('SessionHook')) return Promise.resolve(NOTHING);
  return onEvent(workspace, (tx, _settings, intentsOf) => {
    const before = tx.session(origin.sessionId);
    const session = { ...before, ...advance(before, { type: 'SESSION_START' }), host: origin.host };
    tx.dropCalls(origin.sessionId);
    tx.putSession(session);
    beginRequest(tx, origin.sessionId);
    tx.receipt(eventReceipt(origin, 'pactclaw.session_start', session));
    return {
      context: interceptContext(workspace, intentsOf(origin.sessionId), 'with house texts'),
      alarm: null,
    };
  });
}

/**
 * RequestHook: a request moves the session into the Reasoning Intercept before any tool runs (H-3, H-16). A human's
 * request also ends a run of identical calls and releases a halted session once its intent was set back (H-91).
 */
export function userPrompt(
  workspace: Workspace,
  origin: EventOrigin,
  byHuman: boolean,
): Promise<EventAnswer> {
  if (!isInstalled('RequestHook')) return Promise.resolve(NOTHING);
  return onEvent(workspace, (tx, settings, intentsOf) => {
    const before = tx.session(origin.sessionId);
    const usage = countUsage(tx, origin, before);
    const intents = intentsOf(origin.sessionId);
    const halting = intents.find(({ id }) => id === before.haltIntent);
    const released = byHuman && halting?.status !== 'BLOCKED';
    const event: SessionEvent = {
      type: 'USER_REQUEST',
      keep: settings.policy.handshakePer === 'session',
      released,
    };
    const position = advance(before, event);
    const freed = before.state === 'HALTED' && position.state !== 'HALTED';
    const session = {
      ...before,
      ...position,
      host: origin.host,
      ...(freed ? { haltReason: null, haltIntent: null } : {}),
    };
    tx.dropCalls(origin.sessionId);
    tx.putSession(session);
    beginRequest(tx, origin.sessionId);
    tx.receipt(eventReceipt(origin, byHuman ? USER_REQUEST_EVENT : 'pactclaw.host_request', session, usage));
    if (session.state === 'HALTED')
      return {
        context: haltText(session.haltReason),
        alarm: null,
      };
    const context =
      session.intentId === null
        ? interceptContext(workspace, intents, 'intents only')
        : actionContext(workspace, intents, session.intentId);
    return { context, alarm: null };
  });
}

/** ContextReinjectionHook: after compaction the agent is given its bounds again, and a receipt says so (H-97). */
export function compacted(workspace: Workspace, origin: EventOrigin): Promise<EventAnswer> {
  if (!isInstalled('ContextReinjectionHook')) return Promise.resolve(NOTHING);
  return onEvent(workspace, (tx, _settings, intentsOf) => {
    const session = tx.session(origin.sessionId);
    const intents = intentsOf(origin.sessionId);
    const context =
      actionContext(workspace, intents, session.intentId) ??
      interceptContext(workspace, intents, 'with house texts');
    tx.receipt(
      eventReceipt(origin, 'pactclaw.context_reinjected', session, {
        result_hash: sha256(context),
        note: 'scope, constraints and guidelines were given again after compaction',
      }),
    );
    return { context, alarm: null };
  });
}

/** Records that the host is about to compact the conversation, and counts what it used so far. */
export function beforeCompact(
  workspace: Workspace,
  origin: EventOrigin,
  note?: string,
): Promise<EventAnswer> {
  return onEvent(workspace, (tx) => {
    const session = tx.session(origin.sessionId);
    const usage = countUsage(tx, origin, session);
    const more = { ...usage, ...(note === undefined ? {} : { note }) };
    tx.receipt(eventReceipt(origin, 'pactclaw.pre_compact', session, more));
    return NOTHING;
  });
}

/** Writes the waiting lessons of a session into the shared brain (H-107). */
export function writeLessons(workspace: Workspace, tx: Tx, sessionId: string): void {
  if (!isInstalled('LessonsHook')) return;
  const unwritten = waitingLessons(tx, sessionId).filter(
    (lesson) => appendLesson(workspace.layout, { dateIso: nowIso(), ...lesson }) === 'unusable',
  );
  keepLessons(tx, sessionId, unwritten);
}

/** Stop: the run's last response is counted (UsageHook) and its lessons are written down (LessonsHook). */
export function stop(workspace: Workspace, origin: EventOrigin, note?: string): Promise<EventAnswer> {
  return onEvent(workspace, (tx) => {
    const session = tx.session(origin.sessionId);
    const usage = isInstalled('UsageHook') ? countUsage(tx, origin, session) : {};
    const more = { ...usage, ...(note === undefined ? {} : { note }) };
    tx.receipt(eventReceipt(origin, 'pactclaw.stop', session, more));
    writeLessons(workspace, tx, origin.sessionId);
    return NOTHING;
  });
}
