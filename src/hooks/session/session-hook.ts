import { advance } from '../../core/machine.ts';
import { isOfCommand } from '../call-detail.ts';
import type { MomentStep } from '../steps.ts';
import { interceptContext } from './context.ts';
import { beginRequest } from './usage.ts';

/** SessionHook: a session begins, resumes or is cleared; it starts at Request (H-18) and hears of the intents (H-49). */
export const beginSession: MomentStep = (moment) => {
  const { tx, origin, workspace, intents } = moment;
  moment.session = {
    ...moment.session,
    ...advance(moment.session, { type: 'SESSION_START' }),
    host: origin.host,
  };
  tx.dropCalls(origin.sessionId, isOfCommand);
  beginRequest(tx, origin.sessionId);
  moment.context = interceptContext(workspace, intents, 'with house texts');
};
