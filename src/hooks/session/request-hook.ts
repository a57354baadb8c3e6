import { advance } from '../../core/machine.ts';
import { isOfCommand } from '../call-detail.ts';
import type { Moment, MomentStep } from '../steps.ts';
import { actionContext, interceptContext } from './context.ts';
import { haltText } from './standing.ts';
import { beginRequest, countUse } from './usage.ts';

function contextOf({ session, workspace, intents }: Moment): string | null {
  if (session.state === 'HALTED') return haltText(session.haltReason);
  return session.intentId === null
    ? interceptContext(workspace, intents, 'intents only')
    : actionContext(workspace, intents, session.intentId);
}

/**
 * RequestHook: a request moves the session into the Reasoning Intercept before any tool runs (H-3, H-16). A human's
 * request also ends a run of identical calls and releases a halted session once its intent was set back (H-91).
 */
export const takeRequest: MomentStep = (moment) => {
  const { tx, origin, intents, settings, byHuman, session: before } = moment;
  moment.receipt = countUse(moment);
  const halting = intents.find(({ id }) => id === before.haltIntent);
  const position = advance(before, {
    type: 'USER_REQUEST',
    keep: settings.policy.handshakePer === 'session',
    released: byHuman && halting?.status !== 'BLOCKED',
  });
  const freed = before.state === 'HALTED' && position.state !== 'HALTED';
  moment.session = {
    ...before,
    ...position,
    host: origin.host,
    ...(freed ? { haltReason: null, haltIntent: null } : {}),
  };
  tx.dropCalls(origin.sessionId, isOfCommand);
  beginRequest(tx, origin.sessionId);
  moment.context = contextOf(moment);
};
