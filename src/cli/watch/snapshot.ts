import type { FailSafe } from '../../core/facts.ts';
import type { IntentStatus, SessionState } from '../../core/words.ts';

/** An intent as it counts now. */
export interface IntentNow {
  readonly id: string;
  readonly name: string;
  readonly status: IntentStatus;
  /** Why it is BLOCKED. */
  readonly reason: string | null;
  readonly turns: number;
  readonly tokens: number;
  readonly maxTurns: number;
  readonly maxTokens: number;
}

export interface SessionNow {
  readonly id: string;
  readonly state: SessionState;
  readonly intentId: string | null;
  readonly host: string | null;
  readonly model: string | null;
  readonly haltReason: string | null;
  /** Time of its last event, ISO 8601. */
  readonly updatedAt: string;
}

/** A workspace as it stands. In fail-safe the intents are not known: the file that says them cannot be trusted. */
export interface Snapshot {
  readonly failSafe: FailSafe | null;
  readonly intents: readonly IntentNow[];
  /** The one changed last first. */
  readonly sessions: readonly SessionNow[];
}
