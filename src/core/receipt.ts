import type { ReceiptStatus, Risk, ViolationKind } from './words.ts';

/** Why a call was refused, inside its receipt (C-52). */
export interface Violation {
  readonly kind: ViolationKind;
  readonly rule: string;
  readonly hook: string;
  readonly target?: string;
  readonly message: string;
}

/** A change of an intent's life that the receipt stands for; counters are rebuilt from these. */
export type IntentEvent =
  | { readonly event: 'blocked'; readonly intent_id: string; readonly reason: string }
  /** BLOCKED is written to the human's file. From now on any other status there was set by the human (H-91). */
  | { readonly event: 'settled'; readonly intent_id: string }
  | { readonly event: 'reset'; readonly intent_id: string }
  | { readonly event: 'started'; readonly intent_id: string };

/** What a hook knows before the log gives the receipt its identity. `pre` is the attempt, `post` its outcome. */
export interface ReceiptDraft {
  readonly phase: 'pre' | 'post' | 'event';
  readonly conversation_id: string;
  readonly tool: string;
  readonly args_hash: string;
  readonly result_hash: string;
  readonly status: ReceiptStatus;
  readonly risk: Risk;
  readonly host?: string;
  readonly host_tool?: string;
  readonly call_id?: string;
  readonly agent_id?: string;
  readonly intent_id?: string;
  /** Session state after the event. */
  readonly state?: string;
  readonly target?: string;
  readonly violation?: Violation;
  readonly intent_event?: IntentEvent;
  /** Model use first seen with this receipt; sums per intent are its budget (H-94). */
  readonly usage?: { readonly intent_id: string; readonly turns: number; readonly tokens: number };
  /** The attempt that an outcome belongs to. */
  readonly receipt_of?: string;
  /** `entry_hash` of each ledger line that this outcome wrote. */
  readonly trace?: readonly string[];
  readonly note?: string;
  /** How a command ran: in a container, its changes judged before they were real; or watched, and compared afterwards. */
  readonly execution?: 'contained' | 'watched';
}

/** One line of `tool_receipts.log`. */
export interface Receipt extends ReceiptDraft {
  readonly id: string;
  readonly timestamp: string;
  readonly writer: string;
  readonly seq: number;
  readonly previous_hash: string;
  readonly receipt_hash: string;
}
