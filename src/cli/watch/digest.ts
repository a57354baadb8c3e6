import { HANDSHAKE_TOOL } from '../../core/words.ts';
import type { CallFacts, News, Trip, TripKind } from './news.ts';
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
/** A receipt and the state itself tell of one fail-safe within this time. */
const SAME_FAIL_SAFE_MS = 5_000;
const SESSION_START = 'pactclaw.session_start';
const STOP = 'pactclaw.stop';
const NEW_SESSION: SessionFacts = { beganAt: null, call: null, isResting: false };

type Memory = {
  sessions: Map<string, SessionFacts>;
  refusals: Refused[];
  counts: { allowed: number; denied: number; violations: number };
};

function callFacts(receipt: SeenReceipt): CallFacts {
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

/** The limit that a refused call ran into, or the change that was found after it; null for any other refusal. */
function tripKind({ phase, violation, intent_event: event }: SeenReceipt): TripKind | null {
  if (phase === 'post') return violation ? 'violation' : null;
  if (violation?.kind === 'loop') return 'breaker';
  if (violation?.kind === 'budget') return 'budget';
  return event?.event === 'blocked' ? 'violation' : null;
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
  // Of several calls at once the one that was attempted last is shown.
  if (receipt.phase === 'post' && call !== null && call.receiptId === receipt.receipt_of)
    call = { ...call, status: receipt.status };
  // Put at the end: the first is the one that was quiet longest.
  memory.sessions.delete(id);
  memory.sessions.set(id, { beganAt, call, isResting: receipt.tool === STOP });
  if (memory.sessions.size > MAX_SESSIONS)
    memory.sessions.delete(memory.sessions.keys().next().value as string);
}

function isRefused({ phase, status, violation }: SeenReceipt): boolean {
  return phase === 'post' ? violation !== undefined : phase === 'pre' && status === 'denied';
}

function remember(memory: Memory, receipt: SeenReceipt): void {
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

/** What a receipt tells that is news, by itself. */
function newsOf(receipt: SeenReceipt, workspace: string, began: boolean): News[] {
  const common = { at: receipt.timestamp, workspace };
  const who = { session_id: receipt.conversation_id, host: receipt.host ?? null };
  const news: News[] = [];
  if (began) news.push({ event: 'session_began', ...common, ...who });
  if (
    receipt.phase === 'post' &&
    receipt.tool === HANDSHAKE_TOOL &&
    receipt.state === 'CONTEXTUALIZED_ACTION'
  )
    news.push({ event: 'handshake', ...common, ...who, intent_id: receipt.intent_id ?? null });
  if (!isRefused(receipt)) return news;
  const facts = { kind: receipt.violation?.kind ?? '', receipt_id: receipt.id, ...callFacts(receipt) };
  news.push({ event: receipt.phase === 'post' ? 'violation' : 'refusal', ...common, ...facts });
  const kind = tripKind(receipt);
  if (kind) news.push({ event: 'trip', ...common, ...facts, kind });
  return news;
}

/** Intents whose status is another than before; none while the file that says it cannot be read. */
function statusNews(before: ReadonlyMap<string, string>, look: Look): News[] {
  const common = { at: new Date(look.nowMs).toISOString(), workspace: look.workspace };
  const now = new Map(look.snapshot.intents.map((intent) => [intent.id, intent]));
  const changed = [...now.values()].flatMap(({ id, status, reason }): News[] => {
    const from = before.get(id) ?? null;
    return from === status
      ? []
      : [{ event: 'intent_status', ...common, intent_id: id, from, to: status, reason }];
  });
  const gone = [...before].flatMap(([id, from]): News[] =>
    now.has(id) ? [] : [{ event: 'intent_status', ...common, intent_id: id, from, to: null, reason: null }],
  );
  return [...changed, ...gone];
}

function failSafeTrip(look: Look, reason: string, remedy: string): Trip {
  return {
    event: 'trip',
    at: new Date(look.nowMs).toISOString(),
    workspace: look.workspace,
    kind: 'fail_safe',
    receipt_id: null,
    session_id: null,
    host: null,
    intent_id: null,
    tool: null,
    target: null,
    rule: 'fail-safe',
    message: reason,
    unblock: remedy,
  };
}

/** The fail-safe's beginning and end, and its trip: once, whether the state or a receipt tells of it first. */
function failSafeNews(
  known: Known,
  look: Look,
  fresh: readonly SeenReceipt[],
): { news: News[]; tripMs: number } {
  const news: News[] = [];
  const before = known.snapshot?.failSafe ?? null;
  const now = look.snapshot.failSafe;
  const common = { at: new Date(look.nowMs).toISOString(), workspace: look.workspace };
  if ((before === null) !== (now === null))
    news.push({
      event: 'fail_safe',
      ...common,
      on: now !== null,
      reason: now?.reason ?? null,
      file: now?.file ?? null,
      line: now?.line ?? null,
      remedy: now?.remedy ?? null,
    });
  const told = fresh.find(({ violation }) => violation?.kind === 'fail_safe')?.violation;
  const begins = before === null && (now !== null || told !== undefined);
  if (!begins || look.nowMs - known.failSafeTripMs < SAME_FAIL_SAFE_MS)
    return { news, tripMs: known.failSafeTripMs };
  const reason = now ? `Fail-Safe Default: ${now.reason}` : (told?.message ?? '');
  news.push(failSafeTrip(look, reason, now?.remedy ?? unblock('fail_safe', '', false)));
  return { news, tripMs: now ? Number.NEGATIVE_INFINITY : look.nowMs };
}

/** Receipts that were never seen. After a restart the log's end is read again, and an older log may stand there. */
function freshOnes(known: Known, look: Look): SeenReceipt[] {
  return look.receipts.filter(({ id, timestamp }) => {
    if (known.seen.has(id)) return false;
    return !look.restarted || timestamp >= known.newest;
  });
}

function lastOf(seen: ReadonlySet<string>, more: readonly SeenReceipt[]): ReadonlySet<string> {
  if (more.length === 0) return seen;
  const all = [...seen, ...more.map(({ id }) => id)];
  return new Set(all.slice(-MAX_SEEN));
}

/**
 * Takes in what came and says what of it is news. The first look is what was there before: it is remembered, and
 * nothing of it is news. Pure; gives a new memory and leaves the old one as it is.
 */
export function digest(known: Known, look: Look): { readonly known: Known; readonly news: readonly News[] } {
  const isFirst = known.snapshot === null;
  const fresh = freshOnes(known, look);
  const memory: Memory = {
    sessions: new Map(known.sessions),
    refusals: [...known.refusals],
    counts: { ...known.counts },
  };
  if (isFirst) for (const { id } of look.snapshot.sessions) memory.sessions.set(id, NEW_SESSION);
  const news: News[] = [];
  for (const receipt of fresh) {
    const id = receipt.conversation_id;
    const began = id !== 'pactclaw' && (receipt.tool === SESSION_START || !memory.sessions.has(id));
    remember(memory, receipt);
    if (!isFirst) news.push(...newsOf(receipt, look.workspace, began));
  }
  const failSafe = isFirst ? { news: [], tripMs: known.failSafeTripMs } : failSafeNews(known, look, fresh);
  const isKnown = look.snapshot.failSafe === null;
  if (!isFirst) {
    if (isKnown && known.statuses) news.push(...statusNews(known.statuses, look));
    news.push(...failSafe.news);
    const at = new Date(look.nowMs).toISOString();
    if (look.damaged > 0 && !look.restarted)
      news.push({ event: 'damaged', at, workspace: look.workspace, lines: look.damaged });
  }
  const times = fresh.map(({ timestamp }) => timestamp);
  return {
    known: {
      ...memory,
      snapshot: look.snapshot,
      damaged: look.restarted ? look.damaged : known.damaged + look.damaged,
      seen: lastOf(known.seen, fresh),
      newest: [known.newest, ...times].reduce((a, b) => (b > a ? b : a)),
      statuses: isKnown
        ? new Map(look.snapshot.intents.map(({ id, status }) => [id, status]))
        : known.statuses,
      failSafeTripMs: failSafe.tripMs,
    },
    news,
  };
}
