import { earlierOutcome } from '../attempt/again.ts';
import { joinOutcome } from '../attempt/join.ts';
import { claimCall } from '../attempt/unnamed.ts';
import { containedCall } from '../contained/call.ts';
import { recoverCommits } from '../contained/recover.ts';
import { openStore } from '../open-store.ts';
import type { EventAnswer, PostToolRequest } from '../requests.ts';
import type { Workspace } from '../workspace.ts';
import { alarmOfTrouble, settleCall } from './settle-call.ts';

/**
 * Records how a call ended: what it changed, hashed from the true bytes, and what had to be undone. Never throws.
 * If it cannot record, the alarm says so and the next call meets the fail-safe (H-79).
 */
export async function postToolUse(workspace: Workspace, told: PostToolRequest): Promise<EventAnswer> {
  try {
    using store = openStore(workspace);
    const request = joinOutcome(store, claimCall(store, told));
    if (request === null) return { context: null, alarm: null };
    const earlier = await earlierOutcome(workspace, request);
    if (earlier) return earlier;
    await recoverCommits(workspace, store);
    const contained = containedCall(store, request);
    if (contained) {
      const { endTold } = await import('../contained/told.ts');
      return await endTold(workspace, store, request, contained);
    }
    const answer = await settleCall(workspace, store, request);
    if (request.stillRunning) {
      const { renewSnapshot } = await import('./running.ts');
      await renewSnapshot(workspace, store, request);
    }
    return answer;
  } catch (error) {
    return { context: null, alarm: alarmOfTrouble(error) };
  }
}
