import { refusalText } from '../../core/decide.ts';
import type { Store } from '../../ledger/store.ts';
import { readDetail } from '../call-detail.ts';
import { toFailSafe } from '../fail-safe.ts';
import { stepsAt } from '../pipeline.ts';
import type { EventAnswer, PostToolRequest } from '../requests.ts';
import { loadSettings, type Settings } from '../settings/settings.ts';
import { settleStatuses } from '../settings/settle.ts';
import type { Outcome } from '../steps.ts';
import type { Workspace } from '../workspace.ts';
import { haltLost, lostCall } from './lost-call.ts';
import { recordEnd } from './record-end.ts';

/** What the agent hears when the end of a call could not be recorded. */
export function alarmOfTrouble(error: unknown): string {
  const failSafe = toFailSafe(error);
  return refusalText({
    kind: 'fail_safe',
    sentence: `Fail-Safe Default: ${failSafe.reason}${failSafe.file ? ` (${failSafe.file})` : ''}`,
    remedy: `What the last call changed could not be recorded; no tool runs until a human restores the state. ${failSafe.remedy}`,
  });
}

/** Settings that are read again whenever a step asks, because what a step puts back may be the human's files. */
class LatestSettings {
  value: Settings | null = null;
  trouble: unknown = null;

  constructor(
    private readonly workspace: Workspace,
    private readonly store: Store,
  ) {}

  async read(): Promise<Settings | null> {
    try {
      this.value = await loadSettings(this.workspace, this.store);
    } catch (error) {
      this.trouble = error;
    }
    return this.value;
  }
}

/**
 * Checks a call that has ended, or goes on, and records what was found. `onlyChanges`: where the call has changed nothing
 * there is nothing to record. `found`: what it did is known already.
 */
export async function settleCall(
  workspace: Workspace,
  store: Store,
  request: PostToolRequest,
  onlyChanges = false,
  found: Outcome | null = null,
): Promise<EventAnswer> {
  const known = store.pendingCall(request.sessionId, request.call.callId);
  const pending = known ?? lostCall(workspace, request);
  const detail = pending ? readDetail(pending.detail) : null;
  const latest = new LatestSettings(workspace, store);
  const ended = { workspace, store, request, pending, detail, settings: () => latest.read() };
  let outcome = found;
  for (const check of found ? [] : await stepsAt('check')) outcome = (await check(ended)) ?? outcome;
  if (onlyChanges && outcome?.undone.length === 0 && outcome.watched?.kept.length === 0)
    return { context: null, alarm: null };
  const settings = latest.value ?? (await latest.read());
  const steps = await stepsAt('record');
  const answer = await store.commit((tx) => {
    settings?.remember(tx);
    const session = tx.session(request.sessionId);
    const intents = settings?.intents ?? [];
    const recording = { workspace, tx, request, pending, detail, intents, outcome };
    return recordEnd({ ...recording, session, context: null, written: [] }, steps);
  });
  if (known === null && pending) store.transact((tx) => haltLost(tx, request.sessionId, pending.intentId));
  if (pending && outcome?.watched?.vouched) workspace.proofs?.().owe({ request, pending });
  await settleStatuses(workspace, store, null);
  const { trouble } = latest;
  return trouble === null ? answer : { ...answer, alarm: answer.alarm ?? alarmOfTrouble(trouble) };
}
