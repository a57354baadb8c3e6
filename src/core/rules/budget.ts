import type { Refusal, Rule } from '../ruling.ts';
import { HANDSHAKE_TOOL } from '../words.ts';

function spent(intentId: string, what: string): Refusal {
  return {
    kind: 'budget',
    sentence: `Budget Exhausted: Intent ${intentId} has used ${what}`,
    remedy: `The intent is now BLOCKED. A human reviews the work and sets it to IN_PROGRESS in .orchestration/active_intents.yaml (this opens a new budget window), or raises its budget there.`,
    target: intentId,
    effects: [
      { type: 'block-intent', intentId, reason: `budget: ${what}` },
      { type: 'session', event: { type: 'INTENT_REVOKED' } },
    ],
  };
}

/** An intent's turns and tokens are bounded; reaching a limit blocks the intent (H-86, H-87). */
export const budgetRule: Rule = {
  name: 'budget',
  kind: 'budget',
  judge: ({ call, intent, usage, limits }) => {
    if (call.tool === HANDSHAKE_TOOL || !intent) return 'silent';
    if (usage.turns > limits.maxTurns) return spent(intent.id, `its ${limits.maxTurns} turns`);
    if (usage.tokens >= limits.maxTokens)
      return spent(intent.id, `${usage.tokens} of its ${limits.maxTokens} tokens`);
    return 'pass';
  },
};
