import { sha256 } from '../../core/digest.ts';
import { messageOf } from '../../core/errors.ts';
import type { Store } from '../../ledger/store.ts';
import { isWatched, readDetail, writeDetail } from '../call-detail.ts';
import { refuseUnwatched } from '../command/refuse-unwatched.ts';
import type { PreToolRequest } from '../requests.ts';
import { loadSettings } from '../settings/settings.ts';
import type { GuardStep } from '../steps.ts';
import type { Workspace } from '../workspace.ts';
import { containerScript, seamFault, settingOf } from './setting.ts';

/** Why a command cannot be contained, or null when it can. */
async function whyNot(
  workspace: Workspace,
  host: string,
  policy: Parameters<typeof settingOf>[1],
): Promise<string | null> {
  const { install } = workspace.ground;
  const fault = seamFault(host, install);
  if (fault !== null) return fault;
  const { whyNotContained } = await import('../../execution/probe.ts');
  try {
    return await whyNotContained(settingOf(workspace, policy), containerScript(install));
  } catch (error) {
    return messageOf(error);
  }
}

function markDue(store: Store, { sessionId, call, host }: PreToolRequest): void {
  const contained = { state: 'due' as const, command: sha256(call.command ?? '') };
  store.transact((tx) => {
    const pending = tx.pendingCall(sessionId, call.callId);
    if (!pending) throw new Error('the call was not recorded');
    const detail = writeDetail({ ...readDetail(pending.detail), contained, host });
    tx.putCall(sessionId, call.callId, { ...pending, detail });
  });
}

/**
 * ContainmentHook: marks a command as one that is to run in a container, so that no snapshot is taken. Where it cannot be
 * contained it is watched, or refused if the policy wants it contained.
 */
export const planContainment: GuardStep = async (workspace, store, request, answer) => {
  if (!isWatched(request.call) || request.call.command === undefined) return answer;
  const { policy } = await loadSettings(workspace, store);
  if (policy.execution === 'watched') return answer;
  // An outer door has begun to watch it, and goes on.
  const begun = store.pendingCall(request.sessionId, request.call.callId);
  if (begun && readDetail(begun.detail).snapshot !== null) return answer;
  const why = await whyNot(workspace, request.host, policy);
  if (why === null) markDue(store, request);
  else if (policy.execution === 'contained')
    return refuseUnwatched(store, request, answer, {
      sentence: 'Policy Violation: the command cannot be run in a container, which the policy wants',
      reason: why,
      rule: 'contained',
      hook: 'ContainmentHook',
    });
  return answer;
};
