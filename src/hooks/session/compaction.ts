import { sha256 } from '../../core/digest.ts';
import type { MomentStep } from '../steps.ts';
import { actionContext, interceptContext } from './context.ts';
import { countUse } from './usage.ts';

/** CompactionHook: the conversation is about to be shortened; what it used so far is counted before it is gone (H-96). */
export const recordCompaction: MomentStep = (moment) => {
  moment.compact = true;
  moment.receipt = { ...moment.receipt, ...countUse(moment) };
};

/** ContextReinjectionHook: after compaction the agent is given its bounds again, and a receipt says so (H-97). */
export const giveBoundsAgain: MomentStep = (moment) => {
  const { workspace, intents, session } = moment;
  const context =
    actionContext(workspace, intents, session.intentId) ??
    interceptContext(workspace, intents, 'with house texts');
  moment.context = context;
  moment.receipt = {
    result_hash: sha256(context),
    note: 'scope, constraints and guidelines were given again after compaction',
  };
};
