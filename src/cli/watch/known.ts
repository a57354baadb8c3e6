import type { CallFacts } from './news.ts';
import type { SeenReceipt } from './receipt-line.ts';
import type { Snapshot } from './snapshot.ts';
import { unblock } from './unblock.ts';

/** What came since the last look at a workspace. */
export interface Look {
  readonly workspace: string;
  /** Wall time, in milliseconds. */
  readonly nowMs: number;
  readonly snapshot: Snapshot;
  /** In the log's order. */
  readonly receipts: readonly SeenReceipt[];
  readonly damaged: number;
  /** The log is another one than before: of its receipts only those that were never seen are news. */
  readonly restarted: boolean;
}

/** The last call of a session. */
export interface LastCall {
  readonly receiptId: string;
  readonly tool: string;
  readonly target: string | null;
  /** `running` until its outcome came. */
  readonly status: 'running' | 'allowed' | 'denied' | 'failed';
}

/** What the receipts tell of a session beyond its state. */
export interface SessionFacts {
  /** ISO 8601; null when it began before the part of the log that was read. */
  readonly beganAt: string | null;
  readonly call: LastCall | null;
  /** Its agent has answered and waits for a request. */
  readonly isResting: boolean;
}

export interface Refused extends CallFacts {
  readonly at: string;
  readonly kind: string;
  readonly receiptId: string;
  /** It was found after the call had run. */
  readonly found: boolean;
}

/** Everything that is remembered of a workspace between two looks; bounded. */
export interface Known {
  readonly snapshot: Snapshot | null;
  readonly sessions: ReadonlyMap<string, SessionFacts>;
  /** The newest last. */
  readonly refusals: readonly Refused[];
  /** Attempts in the part of the log that was read, and how they ended. */
  readonly counts: { readonly allowed: number; readonly denied: number; readonly violations: number };
  readonly damaged: number;
  readonly seen: ReadonlySet<string>;
  readonly newest: string;
  /** Status of each intent when the file was last readable; null before. */
  readonly statuses: ReadonlyMap<string, string> | null;
  /** When a receipt told of a fail-safe that the state did not show yet. */
  readonly failSafeTripMs: number;
}

export const NOTHING_KNOWN: Known = {
  snapshot: null,
  sessions: new Map(),
  refusals: [],
  counts: { allowed: 0, denied: 0, violations: 0 },
  damaged: 0,
  seen: new Set(),
  newest: '',
  statuses: null,
  failSafeTripMs: Number.NEGATIVE_INFINITY,
};

const MAX_REFUSALS = 50;
const MAX_SESSIONS = 500;
const MAX_SEEN = 5_000;
export const SESSION_START = 'pactclaw.session_start';
const STOP = 'pactclaw.stop';
export const NEW_SESSION: SessionFacts = { beganAt: null, call: null, isResting: false };

/** What is being remembered, while it changes. */
export type Memory = {
  sessions: Map<string, SessionFacts>;
  refusals: Refused[];
  counts: { allowed: number; denied: number; violations: number };
};

export function callFacts(receipt: SeenReceipt): CallFacts {
  const { violation } = receipt;
  const message = violation?.message ?? 'refused';
  return {
    session_id: receipt.conversation_id,
    host: receipt.host ?? null,
    intent_id: receipt.intent_id ?? receipt.intent_event?.intent_id ?? null,
    tool: receipt.host_tool ?? receipt.tool,
    target: violation?.target ?? receipt.target ?? null,
    rule: violation?.rule ?? null,
    message,
    unblock: unblock(violation?.kind ?? '', message, receipt.phase === 'post'),
  };
}

function rememberCall(memory: Memory, receipt: SeenReceipt): void {
  const id = receipt.conversation_id;
  const before = memory.sessions.get(id) ?? NEW_SESSION;
  let { beganAt, call } = before;
  if (receipt.tool === SESSION_START) beganAt = receipt.timestamp;
  if (receipt.phase === 'pre')
    call = {
      receiptId: receipt.id,
      tool: receipt.host_tool ?? receipt.tool,
      target: receipt.target ?? null,
      status: receipt.status === 'denied' ? 'denied' : 'running',
    };
  // Shows the latest attempt if several calls run at once.
  if (receipt.phase === 'post' && call !== null && call.receiptId === receipt.receipt_of)
    call = { ...call, status: receipt.status };
  // Put at the end: the first is the one that was quiet longest.
  memory.sessions.delete(id);
  memory.sessions.set(id, { beganAt, call, isResting: receipt.tool === STOP });
  if (memory.sessions.size > MAX_SESSIONS)
    memory.sessions.delete(memory.sessions.keys().next().value as string);
}

export function isRefused({ phase, status, violation }: SeenReceipt): boolean {
  return phase === 'post' ? violation !== undefined : phase === 'pre' && status === 'denied';
}

export function remember(memory: Memory, receipt: SeenReceipt): void {
  // What PactClaw notes for itself belongs to no session.
  if (receipt.conversation_id !== 'pactclaw') rememberCall(memory, receipt);
  if (receipt.phase === 'pre') memory.counts[receipt.status === 'denied' ? 'denied' : 'allowed'] += 1;
  if (!isRefused(receipt)) return;
  const found = receipt.phase === 'post';
  if (found) memory.counts.violations += 1;
  const kind = receipt.violation?.kind ?? '';
  memory.refusals.push({ at: receipt.timestamp, kind, receiptId: receipt.id, found, ...callFacts(receipt) });
  if (memory.refusals.length > MAX_REFUSALS) memory.refusals.shift();
}

export function lastOf(seen: ReadonlySet<string>, more: readonly SeenReceipt[]): ReadonlySet<string> {
  if (more.length === 0) return seen;
  const all = [...seen, ...more.map(({ id }) => id)];
  return new Set(all.slice(-MAX_SEEN));
}
