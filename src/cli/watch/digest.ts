import { HANDSHAKE_TOOL } from '../../core/words.ts';
import {
  callFacts,
  isRefused,
  type Known,
  type Look,
  lastOf,
  type Memory,
  NEW_SESSION,
  remember,
  SESSION_START,
} from './known.ts';
import type { News, Trip, TripKind } from './news.ts';
import type { SeenReceipt } from './receipt-line.ts';
import { unblock } from './unblock.ts';

/** A receipt and the state itself tell of one fail-safe within this time. */
const SAME_FAIL_SAFE_MS = 5_000;

/** The limit that a refused call ran into, or the change that was found after it; null for any other refusal. */
function tripKind({ phase, violation, intent_event: event }: SeenReceipt): TripKind | null {
  if (phase === 'post') return violation ? 'violation' : null;
  if (violation?.kind === 'loop') return 'breaker';
  if (violation?.kind === 'budget') return 'budget';
  return event?.event === 'blocked' ? 'violation' : null;
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
