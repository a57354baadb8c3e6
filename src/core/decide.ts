import { messageOf } from './errors.ts';
import type { Facts } from './facts.ts';
import type { Decision, Effect, Refusal, Rule, Ruling } from './ruling.ts';
import { HANDSHAKE_TOOL } from './words.ts';

/** The refusal in the name of a rule that threw. */
export function refusalOfError(rule: string, error: unknown): Refusal {
  return {
    kind: 'rule_error',
    sentence: `Governance Violation: the rule ${rule} failed`,
    remedy: `A rule that fails refuses (${messageOf(error)}). Report this; nothing was run.`,
  };
}

/** INVARIANT (errors refuse): whatever a rule throws becomes a refusal in its name (H-26). */
function ask(rule: Rule, facts: Facts): Ruling {
  try {
    const word = rule.judge(facts);
    if (word === 'pass' || word === 'silent') return { rule: rule.name, word, refusal: null };
    return { rule: rule.name, word: 'refuse', refusal: word };
  } catch (error) {
    return { rule: rule.name, word: 'refuse', refusal: refusalOfError(rule.name, error) };
  }
}

function effectsOfAllow(facts: Facts): Effect[] {
  if (facts.call.tool !== HANDSHAKE_TOOL || !facts.handshake?.intent) return [];
  const { id, status } = facts.handshake.intent;
  const begun: Effect = { type: 'session', event: { type: 'HANDSHAKE_STARTED', intentId: id } };
  return status === 'PENDING' ? [begun, { type: 'start-intent', intentId: id }] : [begun];
}

/**
 * The first refusal is the answer. A halt further down still ends the session, so that an agent cannot
 * hide a loop behind another refusal (H-88).
 */
function answer(
  first: Refusal,
  rulings: readonly Ruling[],
): Pick<Decision, 'verdict' | 'refusal' | 'effects'> {
  const halting = rulings.find((ruling) => ruling.refusal?.halt)?.refusal;
  if (!halting) return { verdict: 'deny', refusal: first, effects: first.effects ?? [] };
  if (halting === first) return { verdict: 'halt', refusal: first, effects: first.effects ?? [] };
  const refusal = { ...first, remedy: `${first.remedy}\n${halting.sentence}. ${halting.remedy}`, halt: true };
  return { verdict: 'halt', refusal, effects: [...(first.effects ?? []), ...(halting.effects ?? [])] };
}

/**
 * Judges a call synchronously and without side effects. Asks every rule in order, so that `pactclaw check` can show
 * each answer; the first refusal is the verdict (H-25). Refuses if there are no rules, because an empty pipeline
 * governs nothing.
 */
export function decide(facts: Facts, rules: readonly Rule[]): Decision {
  const rulings = rules.map((rule) => ask(rule, facts));
  const first = rulings.find((ruling) => ruling.refusal !== null);
  if (first?.refusal) return { ...answer(first.refusal, rulings), refusedBy: first.rule, rulings };
  if (rules.length === 0) {
    const refusal: Refusal = {
      kind: 'rule_error',
      sentence: 'Governance Violation: no rule is installed',
      remedy: 'The pipeline is empty; reinstall PactClaw.',
    };
    return { verdict: 'deny', refusal, refusedBy: 'decide', rulings, effects: [] };
  }
  return { verdict: 'allow', refusal: null, refusedBy: null, rulings, effects: effectsOfAllow(facts) };
}

/** The text of a refusal as an agent or a human reads it: the fixed sentence, then the remedy. */
export function refusalText(refusal: Refusal): string {
  return `${refusal.sentence}\n${refusal.remedy}`;
}
