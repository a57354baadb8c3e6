/** What a watcher tells of: one JSON line each with `--json`. */

interface Common {
  /** ISO 8601: of the receipt, or of when it was seen. */
  readonly at: string;
  /** Absolute path; null for what concerns every workspace of the user. */
  readonly workspace: string | null;
}

/** What a call was, for a refusal and a trip. Text of agents, as the receipt has it. */
export interface CallFacts {
  readonly session_id: string | null;
  readonly host: string | null;
  readonly intent_id: string | null;
  readonly tool: string | null;
  readonly target: string | null;
  readonly rule: string | null;
  readonly message: string;
  /** What would end it, and who can. */
  readonly unblock: string;
}

/** Events that stop an agent. A person wants to know of them at once. */
export type TripKind = 'breaker' | 'budget' | 'violation' | 'fail_safe' | 'estop';

export type News = Common &
  (
    | { readonly event: 'session_began'; readonly session_id: string; readonly host: string | null }
    | {
        readonly event: 'handshake';
        readonly session_id: string;
        readonly host: string | null;
        readonly intent_id: string | null;
      }
    /** A call was refused before it ran. */
    | ({ readonly event: 'refusal'; readonly kind: string; readonly receipt_id: string } & CallFacts)
    /** A call that ran had changed what it may not. */
    | ({ readonly event: 'violation'; readonly kind: string; readonly receipt_id: string } & CallFacts)
    | ({ readonly event: 'trip'; readonly kind: TripKind; readonly receipt_id: string | null } & CallFacts)
    | {
        readonly event: 'intent_status';
        readonly intent_id: string;
        /** Null when the intent is new, or gone. */
        readonly from: string | null;
        readonly to: string | null;
        readonly reason: string | null;
      }
    | {
        readonly event: 'fail_safe';
        readonly on: boolean;
        readonly reason: string | null;
        readonly file: string | null;
        readonly line: number | null;
        readonly remedy: string | null;
      }
    | { readonly event: 'estop'; readonly on: boolean; readonly file: string | null }
    /** Lines of the receipt log that are no receipts. */
    | { readonly event: 'damaged'; readonly lines: number }
    /** The watcher itself could not do something. */
    | { readonly event: 'notice'; readonly message: string }
  );

export type Trip = Extract<News, { readonly event: 'trip' }>;
