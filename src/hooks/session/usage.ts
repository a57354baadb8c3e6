import type { Usage } from '../../core/facts.ts';
import type { ReceiptDraft } from '../../core/receipt.ts';
import type { SessionRow } from '../../ledger/port.ts';
import type { Tx } from '../../ledger/store.ts';
import { markOf } from '../../platform/file-mark.ts';
import type { Door, EventOrigin, ReportedUsage } from '../requests.ts';
import type { Moment } from '../steps.ts';

/** Model use that became visible with an event. */
export interface SeenUsage extends Usage {
  readonly model: string | null;
  /** Calls whose own response is among what was counted up to now. */
  readonly calls: ReadonlySet<string>;
  /** All of it is from after the last event: nothing was read again because the state was lost. */
  readonly isNew: boolean;
}

export const NOTHING_SEEN: SeenUsage = {
  turns: 0,
  tokens: 0,
  model: null,
  calls: new Set(),
  isNew: false,
};

/** Calls that one response may make before a transcript that shows no new response is taken for a silent one. */
const CALLS_A_RESPONSE = 32;

const noteOf = {
  /** The door that counts a session's model use. */
  counter: (sessionId: string) => `usage-by:${sessionId}`,
  /** The request's free response, one that made the handshake alone, was had (C-100). */
  free: (sessionId: string) => `free-handshake:${sessionId}`,
  /** The intent that the request's work has counted for, after the agent itself has left it. */
  acting: (sessionId: string) => `acting:${sessionId}`,
  /** Calls since the transcript last showed a response. */
  silence: (sessionId: string) => `silence:${sessionId}`,
  /** Turns that were counted by calls, because no use was reported. */
  byCalls: (sessionId: string) => `turns-by-calls:${sessionId}`,
};

/** A new request begins: one handshake is free again, and what comes before the next handshake is nobody's work. */
export function beginRequest(tx: Tx, sessionId: string): void {
  for (const key of [noteOf.free(sessionId), noteOf.acting(sessionId)]) if (tx.note(key)) tx.putNote(key, '');
}

/** The agent's own move has taken the session out of its intent; what it does until the next one still counts for it. */
export function leaveIntent(tx: Tx, before: SessionRow, after: SessionRow): void {
  if (before.intentId !== null && after.intentId === null)
    tx.putNote(noteOf.acting(before.id), before.intentId);
}

/** The intent that model use counts for now; null before a request's first handshake. */
export function countsFor(tx: Tx, session: SessionRow): string | null {
  return session.intentId ?? (tx.note(noteOf.acting(session.id)) || null);
}

/**
 * The door that counts this session's responses; null while none has told of one. A proxy that sees the model's answers
 * knows best, then whoever reports them itself; the transcript, which tells of the same ones, comes last.
 */
function counterOf(tx: Tx, { sessionId, usage, door = 'hook' }: EventOrigin): Door | null {
  const key = noteOf.counter(sessionId);
  const counter = tx.note(key) as Door | null;
  if (counter === 'llm') return counter;
  const responses = usage ? usage.turns + (usage.handshakes?.length ?? 0) : 0;
  if (door !== 'llm' && responses === 0) return counter;
  if (counter !== door) tx.putNote(key, door);
  return door;
}

/** Counts handshake responses: the first of a request is free, every further one is a turn (C-33, C-100). */
function chargeHandshakes(tx: Tx, sessionId: string, handshakes: readonly number[]): Usage {
  if (handshakes.length === 0) return { turns: 0, tokens: 0 };
  const isFree = !tx.note(noteOf.free(sessionId));
  if (isFree) tx.putNote(noteOf.free(sessionId), 'had');
  const charged = isFree ? handshakes.slice(1) : handshakes;
  return { turns: charged.length, tokens: charged.reduce((sum, one) => sum + one, 0) };
}

/** What the door reports itself, less the turns that were counted by calls before it first did. */
function reported(tx: Tx, sessionId: string, usage: ReportedUsage): Usage {
  const more = chargeHandshakes(tx, sessionId, usage.handshakes ?? []);
  const turns = usage.turns + more.turns;
  const before = Number(tx.note(noteOf.byCalls(sessionId)) ?? 0);
  if (before > 0 && turns > 0) tx.putNote(noteOf.byCalls(sessionId), String(Math.max(0, before - turns)));
  return { turns: Math.max(0, turns - before), tokens: usage.tokens + more.tokens };
}

interface TranscriptUsage extends SeenUsage {
  /** The transcript has shown a response with this event. */
  readonly shown: boolean;
}

/** Reads what the host's transcript has gained since the last event, once for all processes: the marks move inside the transaction. */
function readTranscripts(tx: Tx, origin: EventOrigin, elsewhere: boolean): TranscriptUsage {
  let [turns, tokens] = [0, 0];
  let model = origin.model ?? origin.usage?.model ?? null;
  let [shown, isNew] = [false, true];
  const calls = new Set<string>();
  for (const file of origin.transcript?.files ?? []) {
    const mark = tx.transcript(file);
    const reading = origin.transcript?.read(file, mark?.offset ?? 0, mark?.lastMessage ?? null);
    if (!reading) continue;
    const handshakes = reading.handshakes ?? [];
    isNew &&= mark !== null;
    if (!elsewhere) {
      const more = chargeHandshakes(tx, origin.sessionId, handshakes);
      turns += reading.turns + more.turns;
      tokens += reading.tokens + more.tokens;
    }
    shown ||= reading.turns + handshakes.length > 0;
    model = reading.model ?? mark?.model ?? model;
    for (const call of reading.calls) calls.add(call);
    tx.putTranscript(file, origin.sessionId, {
      offset: reading.offset,
      lastMessage: reading.lastMessage,
      model,
    });
  }
  return { turns, tokens, model, calls, shown, isNew };
}

/** Whether the host has written anything that its use could be read from. */
function hasTranscript({ transcript }: EventOrigin): boolean {
  return transcript?.files.some((file) => (markOf(file)?.size ?? 0) > 0) ?? false;
}

/** Whether a call is a turn of its own, because nothing tells of the response that makes it. */
function isOwnTurn(tx: Tx, origin: EventOrigin, { shown }: TranscriptUsage): boolean {
  if (!hasTranscript(origin)) return !shown;
  const key = noteOf.silence(origin.sessionId);
  const silent = shown ? 0 : Number(tx.note(key) ?? 0) + 1;
  tx.putNote(key, String(silent));
  return silent > CALLS_A_RESPONSE;
}

/**
 * The model use that an event brings to light (H-85). A door that sees the model reports it; else it is read from the
 * host's transcript. INVARIANT (never unlimited): where neither tells of a response, each `attempt` counts as a turn.
 */
export function readUsage(tx: Tx, origin: EventOrigin, attempt: string | null = null): SeenUsage {
  const counter = counterOf(tx, origin);
  const seen = readTranscripts(tx, origin, counter !== null);
  if (counter !== null && counter !== (origin.door ?? 'hook')) return seen;
  const own = origin.usage ? reported(tx, origin.sessionId, origin.usage) : NOTHING_SEEN;
  const both = { ...seen, turns: seen.turns + own.turns, tokens: seen.tokens + own.tokens };
  if (counter !== null || attempt === null || !isOwnTurn(tx, origin, seen)) return both;
  const key = noteOf.byCalls(origin.sessionId);
  tx.putNote(key, String(Number(tx.note(key) ?? 0) + 1));
  return { ...both, turns: both.turns + 1, calls: new Set([...seen.calls, attempt]) };
}

/** The part of a receipt that an intent's budget is summed from; nothing when there is nothing to count. */
export function usageOn(intentId: string | null, { turns, tokens }: Usage): Pick<ReceiptDraft, 'usage'> {
  if (intentId === null || (turns === 0 && tokens === 0)) return {};
  return { usage: { intent_id: intentId, turns, tokens } };
}

/** Counts what an event that is no call brings to light, for the intent that the session works for (H-85). */
export function countUse({ tx, origin, session }: Moment): Pick<ReceiptDraft, 'usage'> {
  return usageOn(countsFor(tx, session), readUsage(tx, origin));
}
