import type { Facts } from './facts.ts';
import type { SessionEvent } from './machine.ts';
import type { Verdict, ViolationKind } from './words.ts';

/** A change that a decision asks the engine to make. Data, so that deciding stays pure. */
export type Effect =
  | { readonly type: 'session'; readonly event: SessionEvent }
  | { readonly type: 'block-intent'; readonly intentId: string; readonly reason: string }
  | { readonly type: 'start-intent'; readonly intentId: string };

/** The refusal of a rule. */
export interface Refusal {
  readonly kind: ViolationKind;
  /** The fixed sentence of the specification, one line. */
  readonly sentence: string;
  /** What may be done instead, and who can change it. */
  readonly remedy: string;
  readonly target?: string;
  /** The refusal ends the session. */
  readonly halt?: boolean;
  readonly effects?: readonly Effect[];
}

/** The refusal of a rule to change one path. */
export interface PathRefusal extends Refusal {
  /** The reason, worded to follow the path's name: `is protected (…)`. */
  readonly finding: string;
}

/** What one rule says: `pass`, `silent` (the rule does not concern this call) or its refusal. */
export type Word = 'pass' | 'silent' | Refusal;

/** One check of the pipeline: a pure function of facts. A rule that throws refuses. */
export interface Rule {
  readonly name: string;
  readonly kind: ViolationKind;
  readonly judge: (facts: Facts) => Word;
}

/** A rule's word, kept for `pactclaw check`. */
export interface Ruling {
  readonly rule: string;
  readonly word: 'pass' | 'silent' | 'refuse';
  readonly refusal: Refusal | null;
}

/** The answer to a call. */
export interface Decision {
  readonly verdict: Verdict;
  /** The first refusal; null when every rule passed. */
  readonly refusal: Refusal | null;
  readonly refusedBy: string | null;
  readonly rulings: readonly Ruling[];
  readonly effects: readonly Effect[];
}
