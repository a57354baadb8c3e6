import { isSelectable } from '../intent.ts';
import type { Rule } from '../ruling.ts';
import { HANDSHAKE_TOOL } from '../words.ts';
import { STATE_VIOLATION, selectableList } from './state.ts';

/**
 * The intent must still be open at every call: a human's edit takes effect at once, in every session that
 * uses it, and sends the session back to the intercept (H-14, H-15, H-45).
 */
export const intentStatusRule: Rule = {
  name: 'intent-status',
  kind: 'intent_status',
  judge: (facts) => {
    const { call, session, intent } = facts;
    if (call.tool === HANDSHAKE_TOOL || session.intentId === null) return 'silent';
    const gone = (what: string, more = '') => ({
      kind: 'intent_status' as const,
      sentence: `${STATE_VIOLATION} (Intent ${session.intentId} ${what})`,
      remedy: `${more}Call ${HANDSHAKE_TOOL} again with an open intent. ${selectableList(facts)}`,
      target: session.intentId ?? '',
      effects: [{ type: 'session', event: { type: 'INTENT_REVOKED' } }] as const,
    });
    if (!intent) return gone('is no longer in active_intents.yaml');
    if (intent.status === 'BLOCKED')
      return gone(
        'is BLOCKED',
        'A human must set it to IN_PROGRESS in .orchestration/active_intents.yaml before it can go on. ',
      );
    if (!isSelectable(intent.status)) return gone(`is ${intent.status}`);
    if (intent.scope.fault) return gone(`has become too broad: ${intent.scope.fault.glob}`);
    return 'pass';
  },
};
