import type { ViolationKind } from '../../core/words.ts';

const YAML = '.orchestration/active_intents.yaml';

/** What ends each kind of refusal, and who can: the long form is docs/refusals.md. */
const UNBLOCK: Readonly<Record<ViolationKind, string>> = {
  fail_safe: 'a human restores the orchestration state; `pactclaw fsck` shows what is wrong',
  estop: 'a human runs `pactclaw estop --clear`',
  state: 'the agent calls select_active_intent with an open intent',
  handshake: 'the agent selects an intent that is PENDING or IN_PROGRESS',
  intent_status: `a human sets the intent to IN_PROGRESS in ${YAML}`,
  budget: `a human reviews the work and sets the intent to IN_PROGRESS in ${YAML}: a new budget window opens`,
  loop: `a human finds out why the agent repeats itself, then sets the intent to IN_PROGRESS in ${YAML}`,
  breadth: `a human narrows owned_scope in ${YAML}, or splits the intent`,
  scope:
    'the agent works inside the scope or selects the intent that owns the path; a human can widen owned_scope',
  ownership: 'the agent selects the intent that owns the file',
  policy: 'the agent goes another way, or a human makes this change',
  approval: 'a human approves the call',
  rule_error: 'a rule of PactClaw failed and refused; report it',
};

const AFTER_UNDOING = `a human reviews what was changed, then sets the intent to IN_PROGRESS in ${YAML}`;
const HALTED = `a human reviews the session, sets the intent to IN_PROGRESS in ${YAML} and gives a new prompt`;

/** What would end a refusal. `found` = what was done had to be found and undone after the call. */
export function unblock(kind: string, message: string, found: boolean): string {
  if (found) return AFTER_UNDOING;
  if (kind === 'state' && message.startsWith('Session Halted')) return HALTED;
  return Object.hasOwn(UNBLOCK, kind) ? UNBLOCK[kind as ViolationKind] : 'see docs/refusals.md';
}
