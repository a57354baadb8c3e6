import { decide, refusalText } from '../../core/decide.ts';
import type { Facts } from '../../core/facts.ts';
import { advance } from '../../core/machine.ts';
import { maskSecrets } from '../../core/mask-secrets.ts';
import type { Decision } from '../../core/ruling.ts';
import { HANDSHAKE_TOOL } from '../../core/words.ts';
import type { SessionRow } from '../../ledger/port.ts';
import type { Store, Tx } from '../../ledger/store.ts';
import { type CallDetail, withoutArguments, writeDetail } from '../call-detail.ts';
import { recoverCommits } from '../contained/recover.ts';
import { toFailSafe } from '../fail-safe.ts';
import { openStore } from '../open-store.ts';
import { refreshMap } from '../outcome/map.ts';
import { compareRunning } from '../outcome/running.ts';
import { hookOfRule, INSTALLED_RULES, stepsAt } from '../pipeline.ts';
import type { PreToolAnswer, PreToolRequest } from '../requests.ts';
import { noteLesson } from '../session/lessons.ts';
import { leaveIntent } from '../session/usage.ts';
import { settleStatuses, wantsStart } from '../settings/settle.ts';
import type { KeepStep } from '../steps.ts';
import type { Workspace } from '../workspace.ts';
import { earlierAttempt, refusedBefore } from './again.ts';
import { attemptReceipt, intentOf } from './attempt-receipt.ts';
import { factsInFailSafe } from './gather.ts';
import { argumentsOf, detailOfJoin, doorOf, type Joined, joinAttempt } from './join.ts';
import { factsUnderLock, type Prepared, prepare } from './prepare.ts';
import { hasBegun } from './replay.ts';
import { nameCall } from './unnamed.ts';

const ATTEMPTS = 5;

/** The session after the decision's effects. */
function sessionAfter(
  session: SessionRow,
  decision: Decision,
  request: PreToolRequest,
  model: string | null,
): SessionRow {
  let next = session;
  for (const effect of decision.effects) {
    if (effect.type !== 'session') continue;
    const halted = effect.event.type === 'HALT';
    next = {
      ...next,
      ...advance(next, effect.event),
      ...(halted ? { haltReason: decision.refusal?.sentence ?? null, haltIntent: session.intentId } : {}),
    };
  }
  return { ...next, host: request.host, model: model ?? next.model };
}

function detailOf({ call, ...origin }: PreToolRequest, facts: Facts): CallDetail {
  return {
    targets: facts.targets.map(({ asked, relative, absolute, role }) => ({
      asked,
      relative,
      absolute,
      role,
    })),
    reasoning:
      call.tool === HANDSHAKE_TOOL && typeof call.args.reasoning === 'string'
        ? maskSecrets(call.args.reasoning.slice(0, 4000))
        : null,
    handshake: call.tool === HANDSHAKE_TOOL,
    snapshot: null,
    doors: [doorOf(origin)],
    args: argumentsOf(call),
    ...(call.mutating || call.tool === HANDSHAKE_TOOL ? { call: withoutArguments(call) } : {}),
  };
}

/** A call that another door has let through and that may go on: nothing is counted or recorded a second time. */
function goOn(
  tx: Tx,
  joined: Joined<PreToolRequest>,
  facts: Facts,
  decision: Decision,
  keeps: readonly KeepStep[],
): PreToolAnswer {
  const { request, pending, detail } = joined;
  const more = detailOfJoin(detail, detailOf(request, facts), doorOf(request));
  tx.putCall(request.sessionId, request.call.callId, { ...pending, detail: writeDetail(more) });
  for (const keep of keeps) keep(tx, request, facts.targets);
  return { decision, text: null, hook: null, receiptId: pending.receiptId };
}

/** A judged call, under the session and the id that it goes by. */
interface Judged {
  readonly request: PreToolRequest;
  readonly answer: PreToolAnswer;
}

function commit(workspace: Workspace, tx: Tx, asked: PreToolRequest, prepared: Prepared): Judged {
  const earlier = earlierAttempt(workspace, asked);
  if (earlier?.status === 'denied') return { request: asked, answer: refusedBefore(earlier) };
  const joined = joinAttempt(tx, asked, earlier !== null);
  // The log has the decision and the tables have not: the process that made it died in between.
  const recorded = earlier !== null && joined === null && !hasBegun(tx, asked.call) ? earlier : null;
  const request = joined?.request ?? asked;
  prepared.settings?.remember(tx);
  if (prepared.settings?.edited) refreshMap(workspace, tx, prepared.settings.intents);
  const { facts, session, usageFor, seen } = factsUnderLock(
    workspace,
    tx,
    request,
    prepared,
    joined !== null || recorded !== null,
  );
  const decision = decide(facts, INSTALLED_RULES);
  if (joined && decision.verdict === 'allow')
    return { request, answer: goOn(tx, joined, facts, decision, prepared.keeps) };
  if (joined) tx.endCall(request.sessionId, request.call.callId);
  const after = sessionAfter(session, decision, request, seen.model);
  const known = decision.verdict === 'allow' ? recorded : null;
  const receipt = known ?? tx.receipt(attemptReceipt(request, facts, decision, after, usageFor, seen));
  tx.putSession(after);
  leaveIntent(tx, session, after);
  if (receipt.intent_event?.event === 'blocked') tx.markTrip(receipt.intent_event.intent_id, false);
  if (decision.refusal) noteLesson(tx, request, facts, decision.refusal);
  if (decision.verdict === 'allow') {
    const { call } = request;
    tx.putCall(request.sessionId, call.callId, {
      receiptId: receipt.id,
      intentId: intentOf(facts),
      detail: writeDetail(detailOf(request, facts)),
    });
    for (const keep of prepared.keeps) keep(tx, request, facts.targets);
  }
  const answer = {
    decision,
    text: decision.refusal ? refusalText(decision.refusal) : null,
    hook: decision.refusedBy === null ? null : hookOfRule(decision.refusedBy),
    receiptId: receipt.id,
  };
  return { request, answer };
}

/** Refuses because the state cannot be used. No record can be promised, so nothing is allowed. */
function refuseUnrecorded(request: PreToolRequest, error: unknown): PreToolAnswer {
  const failSafe = toFailSafe(error);
  const decision = decide(factsInFailSafe(request, failSafe), INSTALLED_RULES);
  const place = failSafe.file ? ` (${failSafe.file})` : '';
  const refused: Decision =
    decision.verdict === 'allow'
      ? {
          ...decision,
          verdict: 'deny',
          refusal: {
            kind: 'fail_safe',
            sentence: `Fail-Safe Default: ${failSafe.reason}${place}`,
            remedy: failSafe.remedy,
          },
          refusedBy: 'fail-safe',
        }
      : decision;
  return {
    decision: refused,
    text: refused.refusal ? refusalText(refused.refusal) : null,
    hook: refused.refusedBy === null ? null : hookOfRule(refused.refusedBy),
    receiptId: null,
  };
}

/**
 * Judges a call before it runs: gather, decide, commit in one durable transaction, answer.
 * Never throws. INVARIANT (no record, no allow): an allow is returned only after its receipt is on disk, and after
 * what undoing the call would need has been kept.
 */
export async function preToolUse(workspace: Workspace, asked: PreToolRequest): Promise<PreToolAnswer> {
  const request = nameCall(asked);
  try {
    using store = openStore(workspace);
    await recoverCommits(workspace, store);
    await compareRunning(workspace, store, request);
    const judged = await decideOnce(workspace, store, request);
    let { answer } = judged;
    await settleStatuses(workspace, store, wantsStart(answer.decision));
    for (const guard of await stepsAt('guard'))
      if (answer.decision.verdict === 'allow') answer = await guard(workspace, store, judged.request, answer);
    return answer;
  } catch (error) {
    return refuseUnrecorded(request, error);
  }
}

async function decideOnce(workspace: Workspace, store: Store, request: PreToolRequest): Promise<Judged> {
  for (let attempt = 1; ; attempt += 1) {
    const prepared = await prepare(workspace, store, request);
    const judged = await store.commit((tx) => {
      // A human may have saved the file since it was read; judging by old words would leave a window open (H-46).
      if (prepared.settings && attempt < ATTEMPTS && !prepared.settings.hold()) return null;
      return commit(workspace, tx, request, prepared);
    });
    if (judged) return judged;
  }
}
