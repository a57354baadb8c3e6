import type { ChainHead } from '../core/chain.ts';
import { PactError } from '../core/errors.ts';
import type { Owner, Usage } from '../core/facts.ts';
import type { SessionPosition } from '../core/machine.ts';
import type { FileMark } from '../platform/file-mark.ts';
import type { ProvenanceIndex } from './provenance/port.ts';
import type { LogName } from './verify.ts';

/** Why the storage could not do what it was asked. */
export type StorageProblem = 'locked' | 'damaged' | 'full' | 'readonly' | 'other';

const LOOK = 'Check that .orchestration is writable and the disk is not full; then run `pactclaw fsck`.';
const PROBLEMS: Readonly<Record<StorageProblem, readonly [message: string, remedy: string]>> = {
  locked: ['is locked by another process', 'Try again; if it lasts, look for a process that hangs.'],
  damaged: ['is damaged', 'Try again: what is damaged is set aside and made anew from the logs.'],
  full: ['cannot be written: the disk is full', 'Free some space.'],
  readonly: ['cannot be written: it is read-only', LOOK],
  other: ['cannot be used', LOOK],
};

/** What any storage throws when it fails; no caller knows the errors of its database. */
export class StorageError extends PactError {
  constructor(
    readonly problem: StorageProblem,
    cause: Error,
  ) {
    const [message, remedy] = PROBLEMS[problem];
    const detail = problem === 'other' ? `: ${cause.message}` : '';
    super('UNAVAILABLE', `orchestration state ${message}${detail}`, remedy, {}, { cause });
  }
}

/** A session as it stands between two hook processes. */
export interface SessionRow extends SessionPosition {
  readonly id: string;
  readonly haltReason: string | null;
  readonly haltIntent: string | null;
  readonly host: string | null;
  readonly model: string | null;
  /** What the agent said when it chose its intent; the rationale of what it does then (H-76). */
  readonly reasoning: string | null;
}

/** How far a host's transcript has been read. */
export interface TranscriptMark {
  readonly offset: number;
  readonly lastMessage: string | null;
  readonly model: string | null;
}

/** What PreToolUse leaves for PostToolUse of the same call. The storage does not look into `detail`. */
export interface PendingCall {
  readonly receiptId: string;
  readonly intentId: string | null;
  readonly detail: string;
}

/** A call between its attempt and its outcome. */
export interface CallInFlight extends PendingCall {
  readonly sessionId: string;
  readonly callId: string;
}

/** A file as it was before a call. `hash` is null when it did not exist, `content` also when it was too large to keep. */
export interface Preimage {
  readonly path: string;
  readonly hash: string | null;
  readonly content: Buffer | null;
}

/** A file in the intent map (H-64). */
export interface OwnerRow extends Owner {
  readonly path: string;
  /** Empty when the file was deleted. */
  readonly contentHash: string;
  readonly changedAt: string;
  readonly earlier: readonly string[];
}

/** The trip that blocked an intent and that no human has cleared yet; `written` once the human's file says BLOCKED. */
export interface Trip {
  readonly intentId: string;
  readonly reason: string;
  readonly written: boolean;
}

/** How far a log has been taken in. */
export interface KnownLog extends FileMark {
  readonly lines: number;
}

/** What the state says. */
export interface Reading {
  /** A session; one that is not known is at the beginning. */
  session(id: string): SessionRow;
  /** Sessions, the one changed last first. */
  sessions(limit: number): (SessionRow & { readonly updatedAt: string })[];
  /** What came last in a row of calls, and how often in turn; null when the row has ended. */
  repeats(row: string): { readonly identity: string; readonly count: number } | null;
  transcript(path: string): TranscriptMark | null;
  pendingCall(sessionId: string, callId: string): PendingCall | null;
  /** Calls that were allowed and have not ended, of the last ten minutes; older ones will never end. `sessionId`: of this session alone. */
  callsInFlight(sessionId?: string): CallInFlight[];
  /** Calls of a session whose id begins so, in the order they began; every character of `prefix` stands for itself. */
  callsBeginningWith(
    sessionId: string,
    prefix: string,
  ): { readonly callId: string; readonly detail: string }[];
  /** Paths that the ledger gained since a call in flight began. */
  recordedSince(sessionId: string, callId: string): string[];
  preimages(sessionId: string, callId: string): Preimage[];
  usage(intentId: string): Usage;
  /** Use of every intent that has used anything. */
  usages(): (Usage & { readonly intentId: string })[];
  trips(): Trip[];
  owner(path: string): OwnerRow | null;
  /** Whether the ledger has any file on record. */
  hasOwners(): boolean;
  /** All files on record, by path. */
  owners(): OwnerRow[];
  /** Ledger offsets of an intent's latest mutations, newest first (H-35). */
  latestMutations(intentId: string, limit: number): number[];
  /** Lines and bytes of a log as last seen, without reading it. */
  logSize(name: LogName): { readonly lines: number; readonly bytes: number };
  /** What was made of a file with these bytes; null when that is not known. */
  compiled(file: string, digest: string): string | null;
  note(key: string): string | null;
}

/** What an event may change besides appending to the logs. */
export interface Writing {
  putSession(row: SessionRow): void;
  putTranscript(path: string, sessionId: string, mark: TranscriptMark): void;
  /** Keeps a call until its outcome comes, and how far the ledger was when it began. */
  putCall(sessionId: string, callId: string, call: PendingCall): void;
  /**
   * Forgets calls of a session that will never end, with their preimages: a new request or a new start has come. A
   * call that `lasts`, judged by its detail, is kept for a day.
   */
  dropCalls(sessionId: string, lasts: (detail: string) => boolean): void;
  endCall(sessionId: string, callId: string): void;
  putPreimage(sessionId: string, callId: string, image: Preimage): void;
  /** Whether the trip has reached the human's file; until then the engine blocks the intent by itself. */
  markTrip(intentId: string, written: boolean): void;
  putCompiled(file: string, digest: string, value: string): void;
  putNote(key: string, value: string): void;
}

/** Where log lines are folded in; all of it is made anew from the logs when it is lost. */
export interface Folding {
  addUsage(intentId: string, turns: number, tokens: number): void;
  clearUsage(intentId: string): void;
  setTrip(intentId: string, reason: string): void;
  clearTrip(intentId: string): void;
  /** Counts a call: one more of the same, or the first of another. */
  countRepeat(row: string, identity: string): void;
  endRepeats(row: string): void;
  addMutation(intentId: string, path: string | null, offset: number): void;
  putOwner(row: OwnerRow): void;
  dropOwner(path: string): void;
  /** Empties what is folded from one log. */
  forget(name: LogName): void;
}

/** How far the logs are taken in, and the last record of each writer. */
export interface LogPositions {
  knownLog(name: LogName): KnownLog | null;
  heads(name: LogName): Map<string, ChainHead>;
  head(name: LogName, writer: string): ChainHead | null;
  putLog(name: LogName, known: KnownLog): void;
  putHead(name: LogName, writer: string, head: ChainHead): void;
  /** Forgets how far both logs were read: they are taken in anew. */
  forgetLogs(): void;
}

export type Tables = Reading & Writing & Folding & LogPositions;

/** What became of one part of a transaction. */
export type Outcome<T = unknown> = { readonly value: T } | { readonly error: unknown };

/** The parts of a storage that the logs alone determine; two storages that read the same logs agree in them. */
export type DerivedPart = 'state' | 'index';

/**
 * Where the view of a workspace's logs is kept. Everything throws a {@link StorageError} when it fails, or a StateError
 * with one as its cause when a human should read more of it. The suite in `test/ledger/port` holds for every
 * implementation.
 */
export interface Storage {
  readonly tables: Tables;
  readonly index: ProvenanceIndex;
  /**
   * Runs `work` while nobody else writes, in the order of arrival; throws `locked` when the turn has not come in
   * `waitMs` milliseconds. What it wrote is there for others when this returns, and undone when it throws or `keep` is
   * false.
   */
  transact<T>(waitMs: number, work: () => T, keep?: boolean): T;
  /** Runs a part of a transaction, undone for itself when it throws. Throws when the whole transaction is lost. */
  part<T>(work: () => T): Outcome<T>;
  /** Runs `work`, which only reads, on the state of one moment, without the lock. */
  look<T>(work: () => T): T;
  /** Whether this is still the storage that the workspace has. */
  isCurrent(): boolean;
  /** Does work that an event need not wait for. */
  carryOver(): void;
  /** Called by a process that ends without closing: does what keeps the next one's beginning cheap. Never waits for others. */
  leave(): void;
  /** What is derived from the logs, named, as rows in an order of their own. */
  derived(part: DerivedPart): Iterable<readonly [what: string, rows: Iterable<unknown>]>;
  close(): void;
}
