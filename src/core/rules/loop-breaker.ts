import { isSelectable } from '../intent.ts';
import type { Rule } from '../ruling.ts';

/** Three identical calls may run; the fourth ends the session and blocks the intent (H-88…H-91, C-31). */
export const loopBreakerRule: Rule = {
  name: 'loop-breaker',
  kind: 'loop',
  judge: ({ call, session, intent, limits }) => {
    if (session.repeats <= limits.maxIdenticalCalls) return 'pass';
    // A human may have closed the intent meanwhile: that is never undone (H-13).
    const intentId = intent && isSelectable(intent.status) ? intent.id : null;
    const reason = `loop detection: ${call.hostTool} was called ${session.repeats} times with identical arguments`;
    const halt = { type: 'session', event: { type: 'HALT' } } as const;
    return {
      kind: 'loop',
      sentence: `Circuit Breaker: loop detected, ${call.hostTool} called ${session.repeats} times in a row with identical arguments`,
      remedy: intentId
        ? `The session is over and intent ${intentId} is BLOCKED. A human must find out why the agent repeats itself, then set ${intentId} to IN_PROGRESS in .orchestration/active_intents.yaml.`
        : 'The session is over. A human must look into it and submit a new request.',
      target: call.hostTool,
      halt: true,
      effects: intentId ? [{ type: 'block-intent', intentId, reason }, halt] : [halt],
    };
  },
};
