import type { Facts } from '../facts.ts';
import type { Rule } from '../ruling.ts';
import { HANDSHAKE_TOOL } from '../words.ts';

/** The sentence that the specification fixes (H-4). */
export const STATE_VIOLATION = 'State Violation: Reasoning Intercept Required';

/** Names the intents that could be selected, so that the agent knows its next move. */
export function selectableList(facts: Pick<Facts, 'selectable'>): string {
  if (facts.selectable.length === 0)
    return 'No intent can be selected now: a human must add one to .orchestration/active_intents.yaml.';
  const shown = facts.selectable.slice(0, 20).map(({ id, name }) => `${id} (${name})`);
  const more = facts.selectable.length > 20 ? `, and ${facts.selectable.length - 20} more` : '';
  return `Intents that can be selected: ${shown.join(', ')}${more}.`;
}

/** Before the handshake only the handshake runs; a halted session runs nothing, and no call runs twice (H-4, H-7, H-88). */
export const stateRule: Rule = {
  name: 'state',
  kind: 'state',
  judge: (facts) => {
    const { session, call } = facts;
    if (session.state === 'HALTED')
      return {
        kind: 'state',
        sentence: 'Session Halted: this session has been ended by the circuit breaker',
        remedy: `${session.haltReason ?? 'It tripped earlier.'} A human must review it and set the intent to IN_PROGRESS in .orchestration/active_intents.yaml; then a new request may begin.`,
        halt: true,
      };
    if (facts.replayed)
      return {
        kind: 'state',
        sentence: 'State Violation: a call of this id has begun before',
        remedy: 'Make a new call.',
        target: call.hostTool,
      };
    if (call.tool === HANDSHAKE_TOOL || call.findsHandshake) return 'pass';
    if (session.state === 'CONTEXTUALIZED_ACTION' && session.intentId !== null) return 'pass';
    return {
      kind: 'state',
      sentence: STATE_VIOLATION,
      remedy: `Call ${HANDSHAKE_TOOL} with the intent_id you work for before any other tool. ${selectableList(facts)}`,
      target: call.hostTool,
    };
  },
};
