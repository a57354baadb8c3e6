import type { Facts } from '../facts.ts';
import { isSelectable } from '../intent.ts';
import type { Refusal, Rule } from '../ruling.ts';
import { HANDSHAKE_TOOL } from '../words.ts';
import { selectableList } from './state.ts';

function invalid(facts: Facts, sentence: string, remedy: string, target?: string): Refusal {
  return {
    kind: 'handshake',
    sentence,
    remedy: `${remedy} ${selectableList(facts)}`,
    ...(target === undefined ? {} : { target }),
    effects: [{ type: 'session', event: { type: 'HANDSHAKE_REJECTED' } }],
  };
}

/** Control characters out, length bounded: the agent's text goes into our sentence. */
function quoted(value: string): string {
  return value.replace(/[\u0000-\u001f\u007f]/g, '?').slice(0, 80);
}

/** `select_active_intent` takes the ID of an intent that is open and whose status allows it (H-8…H-13). */
export const handshakeRule: Rule = {
  name: 'handshake',
  kind: 'handshake',
  judge: (facts) => {
    if (facts.call.tool !== HANDSHAKE_TOOL) return 'silent';
    if (!facts.handshake) throw new Error('the facts of the handshake were not gathered');
    const { asked, intent } = facts.handshake;
    if (typeof asked !== 'string' || asked === '')
      return invalid(facts, 'Validation Error: intent_id must be a non-empty string', 'Give one intent_id.');
    if (!intent)
      return invalid(
        facts,
        `Validation Error: unknown intent ${quoted(asked)}`,
        'Name an intent of the registry.',
        quoted(asked),
      );
    if (isSelectable(intent.status)) return 'pass';
    const why = `Validation Error: intent ${intent.id} is ${intent.status}`;
    if (intent.status === 'BLOCKED')
      return invalid(
        facts,
        why,
        `${intent.blockedReason ? `Blocked because: ${intent.blockedReason}. ` : ''}A human must set its status to IN_PROGRESS in .orchestration/active_intents.yaml.`,
        intent.id,
      );
    return invalid(facts, why, 'Its work is closed; choose another intent.', intent.id);
  },
};
