import type { ResolvedTarget } from '../core/facts.ts';
import type { Intent } from '../core/intent.ts';
import type { ReceiptDraft } from '../core/receipt.ts';
import type { TraceRecord } from '../core/trace-record.ts';
import type { PendingCall, SessionRow } from '../ledger/port.ts';
import type { Store, Tx } from '../ledger/store.ts';
import type { FileChange, Snapshots } from '../security/snapshot.ts';
import type { CallDetail } from './call-detail.ts';
import type { Undone } from './command/undone.ts';
import type { FileDelta } from './outcome/record.ts';
import type { EventOrigin, PostToolRequest, PreToolAnswer, PreToolRequest } from './requests.ts';
import type { Settings } from './settings/settings.ts';
import type { Workspace } from './workspace.ts';

/** Keeps what the end of an allowed call will need; runs in the transaction that records the attempt. */
export type KeepStep = (tx: Tx, request: PreToolRequest, targets: readonly ResolvedTarget[]) => void;

/** Prepares an allowed call after its attempt is on record, outside the lock. May turn the answer into a refusal. */
export type GuardStep = (
  workspace: Workspace,
  store: Store,
  request: PreToolRequest,
  answer: PreToolAnswer,
) => Promise<PreToolAnswer>;

/** What a call changed, after every forbidden change was put back. */
export interface Outcome {
  readonly undone: readonly Undone[];
  /** Changes of a watched call that stand, with the snapshots to read them from; null: only named files are known. */
  readonly watched: {
    readonly kept: readonly FileChange[];
    readonly snapshots: Snapshots;
    /** Nobody has looked: a watch on the tree says that nothing changed. */
    readonly vouched?: boolean;
  } | null;
  /** A contained command: its changes that became real, and those for which none did. */
  readonly contained?: {
    readonly deltas: readonly FileDelta[];
    readonly refused: readonly Undone[];
    /** Other changes of it are recorded already: the process that recorded them was killed. */
    readonly goesOn?: boolean;
  };
}

/** A call that has ended, or that is compared while it goes on. */
export interface Ended {
  readonly workspace: Workspace;
  readonly store: Store;
  readonly request: PostToolRequest;
  /** What was recorded when it was allowed; null when nothing was. */
  readonly pending: PendingCall | null;
  readonly detail: CallDetail | null;
  /** Reads the settings as they stand now; null when they cannot be used. */
  readonly settings: () => Promise<Settings | null>;
}

/** Looks at what a call did, outside the lock. Null when the call is none of this step's. */
export type CheckStep = (ended: Ended) => Promise<Outcome | null>;

/** The record of an ended call while the steps fill it; runs in the transaction that keeps it. */
export interface Recording {
  readonly workspace: Workspace;
  readonly tx: Tx;
  readonly request: PostToolRequest;
  readonly pending: PendingCall | null;
  readonly detail: CallDetail | null;
  readonly intents: readonly Intent[];
  readonly outcome: Outcome | null;
  /** The session as it will be kept. */
  session: SessionRow;
  /** What the agent is to be told. */
  context: string | null;
  /** Ledger lines that the call has written. */
  written: readonly TraceRecord[];
}

export type RecordStep = (recording: Recording) => void;

/** An event that is no tool call, while the steps work on it; runs in the transaction that records it. */
export interface Moment {
  readonly workspace: Workspace;
  readonly tx: Tx;
  readonly origin: EventOrigin;
  readonly settings: Settings;
  /** Intents as they count now. */
  readonly intents: readonly Intent[];
  /** A human caused the event; false for events that no human's words are part of. */
  readonly byHuman: boolean;
  /** The session as it will be kept. */
  session: SessionRow;
  /** What the agent is to be told. */
  context: string | null;
  /** The door is to shorten what it sends to the model. */
  compact: boolean;
  /** What the event's receipt says besides. */
  receipt: Partial<ReceiptDraft>;
}

export type MomentStep = (moment: Moment) => void;

/** The steps of each place in the engine's order. */
export interface StepsAt {
  readonly 'session-start': MomentStep;
  readonly 'user-prompt': MomentStep;
  readonly keep: KeepStep;
  readonly guard: GuardStep;
  readonly check: CheckStep;
  readonly record: RecordStep;
  readonly 'before-compact': MomentStep;
  readonly 'after-compact': MomentStep;
  readonly stop: MomentStep;
}
