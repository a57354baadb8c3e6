import { DEFAULT_POLICY } from '../../config/policy.ts';
import { refusalText } from '../../core/decide.ts';
import { digestOf, sha256 } from '../../core/digest.ts';
import { messageOf } from '../../core/errors.ts';
import { advance } from '../../core/machine.ts';
import type { IntentEvent } from '../../core/receipt.ts';
import { HANDSHAKE_TOOL, type ReceiptStatus } from '../../core/words.ts';
import type { PendingCall } from '../../ledger/call-tables.ts';
import type { Store, Tx } from '../../ledger/store.ts';
import { Snapshots } from '../../security/snapshot.ts';
import { earlierOutcome } from '../attempt/again.ts';
import { riskOf } from '../attempt/attempt-receipt.ts';
import { joinOutcome } from '../attempt/join.ts';
import { markEnded } from '../attempt/replay.ts';
import { claimCall } from '../attempt/unnamed.ts';
import { changeJudge } from '../command/changed-path.ts';
import { othersAtWork, writersBeside } from '../command/others.ts';
import { type CallDetail, isWatched } from '../command/preserve.ts';
import { entriesOf, tellOthers } from '../command/put-back.ts';
import { type Reconciliation, reconcile } from '../command/reconcile.ts';
import { toFailSafe } from '../fail-safe.ts';
import { openStore } from '../open-store.ts';
import { isInstalled } from '../pipeline.ts';
import type { EventAnswer, PostToolRequest } from '../requests.ts';
import { actionContext } from '../session/context.ts';
import { addLesson } from '../session/lessons.ts';
import { loadSettings, type Settings } from '../settings/settings.ts';
import { settleStatuses } from '../settings/settle.ts';
import type { Workspace } from '../workspace.ts';
import { haltLost, lostCall } from './lost-call.ts';
import { updateMap } from './map.ts';
import { type Finished, recordMutations, strayTargets } from './outcome.ts';
import { alarmOf, violationOf } from './violation.ts';

/**
 * ReconcileHook. What cannot be checked counts as a violation: a command whose changes nobody could look at must not
 * end well.
 */
async function watchResult(
  workspace: Workspace,
  store: Store,
  request: PostToolRequest,
  pending: PendingCall,
  detail: CallDetail,
  load: () => Promise<Settings | null>,
): Promise<Reconciliation | null> {
  if (!isWatched(request.call) || !isInstalled('ReconcileHook') || !isInstalled('SnapshotHook')) return null;
  const { sessionId, call } = request;
  try {
    if (detail.snapshot === null) throw new Error('there is no snapshot from before the command');
    const images = store.preimages(sessionId, call.callId);
    const own = pending.intentId;
    const judging = async () => {
      const { intents = [], policy = DEFAULT_POLICY } = (await load()) ?? {};
      const judge = changeJudge({ workspace, tables: store, intents, policy, own });
      return { judge, others: othersAtWork(store, request, intents) };
    };
    const folder = pending.receiptId.replace('receipt-', '');
    return await reconcile(
      workspace,
      store,
      { snapshot: detail.snapshot, listing: detail.listing ?? '', entries: entriesOf(detail), images },
      { own, folder, judging, tell: (back) => tellOthers(store, request, back) },
    );
  } catch (error) {
    const why = `what the command changed could not be checked or undone (${messageOf(error)})`;
    const snapshots = new Snapshots(workspace.layout, workspace.snapshotMs);
    return { kept: [], undone: [{ path: 'the workspace', why, kept: null, stands: true }], snapshots };
  }
}

function commit(finished: Finished, tx: Tx): EventAnswer {
  const { request, pending, detail } = finished;
  const { call, sessionId, ok } = request;
  finished.settings?.remember(tx);
  let session = tx.session(sessionId);
  let context: string | null = null;
  if (call.tool === HANDSHAKE_TOOL && pending && isInstalled('HandshakeTransitionHook')) {
    session = {
      ...session,
      ...advance(
        session,
        ok && pending.intentId !== null
          ? { type: 'HANDSHAKE_ACCEPTED', intentId: pending.intentId }
          : { type: 'HANDSHAKE_REJECTED' },
      ),
    };
    if (session.state === 'CONTEXTUALIZED_ACTION') {
      session = { ...session, reasoning: detail?.reasoning ?? null };
      context = actionContext(finished.workspace, finished.intents, session.intentId);
    }
  }
  const written = recordMutations(finished, tx, session);
  const undone = [...(finished.reconciliation?.undone ?? []), ...strayTargets(finished, tx)];
  const beside = undone.length > 0 ? writersBeside(tx, request) : 0;
  const violation = undone.length > 0 ? violationOf(undone, beside) : undefined;
  const blocked: IntentEvent | undefined =
    violation && pending?.intentId
      ? {
          event: 'blocked',
          intent_id: pending.intentId,
          reason: `scope: ${undone[0]?.path ?? ''} was changed by ${call.hostTool}`,
        }
      : undefined;
  if (violation) session = { ...session, ...advance(session, { type: 'INTENT_REVOKED' }) };
  const status: ReceiptStatus = violation ? 'denied' : ok ? 'allowed' : 'failed';
  tx.receipt({
    phase: 'post',
    conversation_id: sessionId,
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
    ...(pending ? { receipt_of: pending.receiptId } : { note: 'no attempt was recorded for this call' }),
    ...(written.length > 0 ? { trace: written.map((entry) => entry.entry_hash) } : {}),
    ...(violation ? { violation, target: undone[0]?.path.slice(0, 1024) ?? '' } : {}),
    ...(blocked ? { intent_event: blocked } : {}),
  });
  if (blocked) {
    tx.markTrip(blocked.intent_id, false);
    addLesson(tx, sessionId, {
      intentId: blocked.intent_id,
      text: `${call.hostTool}: ${violation?.message ?? ''}`,
    });
  }
  tx.putSession(session);
  tx.endCall(sessionId, call.callId);
  markEnded(tx, call);
  if (written.length > 0) updateMap(finished.workspace, tx, finished.intents, written);
  return { context, alarm: violation ? alarmOf(undone, call, blocked?.intent_id ?? null, beside) : null };
}

/**
 * Records how a call ended: what it changed, hashed from the true bytes, and what had to be undone (architecture
 * §3, step 6). Never throws. When it cannot record, the alarm says so and the next call meets the fail-safe (H-79).
 */
export async function postToolUse(workspace: Workspace, told: PostToolRequest): Promise<EventAnswer> {
  try {
    using store = openStore(workspace);
    const request = joinOutcome(store, claimCall(store, told));
    if (request === null) return { context: null, alarm: null };
    const earlier = await earlierOutcome(workspace, request);
    if (earlier) return earlier;
    const known = store.pendingCall(request.sessionId, request.call.callId);
    const pending = known ?? lostCall(workspace, request);
    const detail = pending ? (JSON.parse(pending.detail) as CallDetail) : null;
    let settings: Settings | null = null;
    let trouble: unknown = null;
    const load = async (): Promise<Settings | null> => {
      try {
        settings = await loadSettings(workspace, store);
      } catch (error) {
        trouble = error;
      }
      return settings;
    };
    const reconciliation =
      pending && detail ? await watchResult(workspace, store, request, pending, detail, load) : null;
    settings ??= await load();
    const intents = settings?.intents ?? [];
    const answer = await store.commit((tx) =>
      commit({ workspace, request, pending, detail, intents, settings, reconciliation }, tx),
    );
    if (known === null && pending) store.transact((tx) => haltLost(tx, request.sessionId, pending.intentId));
    await settleStatuses(workspace, store, null);
    return trouble === null ? answer : { ...answer, alarm: answer.alarm ?? alarmOfTrouble(trouble) };
  } catch (error) {
    return { context: null, alarm: alarmOfTrouble(error) };
  }
}

function alarmOfTrouble(error: unknown): string {
  const failSafe = toFailSafe(error);
  return refusalText({
    kind: 'fail_safe',
    sentence: `Fail-Safe Default: ${failSafe.reason}${failSafe.file ? ` (${failSafe.file})` : ''}`,
    remedy: `What the last call changed could not be recorded; no tool runs until a human restores the state. ${failSafe.remedy}`,
  });
}
