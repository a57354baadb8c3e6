import type { Receipt } from '../core/receipt.ts';
import type { TraceRecord } from '../core/trace-record.ts';
import { HANDSHAKE_TOOL } from '../core/words.ts';
import type { Folding, Reading, Writing } from './port.ts';

/** Event receipts whose tool is this end a run of identical calls: a human has spoken (H-90). */
export const USER_REQUEST_EVENT = 'pactclaw.user_request';

/** The row in which a session's identical handshakes are counted, apart from that of its other calls. */
function handshakeRow(sessionId: string): string {
  return `${sessionId}\nhandshake`;
}

/** Identical calls in a row if a call of this tool with this identity came now (H-90). */
export function repeatsWith(
  tables: Pick<Reading, 'repeats'>,
  sessionId: string,
  tool: string,
  identity: string,
): number {
  const row = tables.repeats(tool === HANDSHAKE_TOOL ? handshakeRow(sessionId) : sessionId);
  return row?.identity === identity ? row.count + 1 : 1;
}

/**
 * Folds log lines into the tables that decisions read. The same code serves an append and a rebuild, so that a
 * deleted database never refills a budget.
 */
export class Ingest {
  constructor(
    private readonly tables: Folding & Pick<Reading, 'owner' | 'repeats'> & Pick<Writing, 'markTrip'>,
  ) {}

  receipt(record: Receipt): void {
    const { tables } = this;
    if (record.usage) tables.addUsage(record.usage.intent_id, record.usage.turns, record.usage.tokens);
    this.#repeats(record);
    const event = record.intent_event;
    if (!event) return;
    if (event.event === 'blocked') tables.setTrip(event.intent_id, event.reason);
    if (event.event === 'settled') tables.markTrip(event.intent_id, true);
    if (event.event === 'reset') {
      tables.clearTrip(event.intent_id);
      tables.clearUsage(event.intent_id);
    }
  }

  /**
   * Keeps the row of identical calls (H-90). The handshake has a row of its own: choosing the same intent again ends no
   * other row, so that a call cannot be repeated for ever with a handshake in between (C-100).
   */
  #repeats({ phase, tool, conversation_id: session, args_hash, status, intent_id }: Receipt): void {
    const { tables } = this;
    const [handshakes, chosen] = [handshakeRow(session), `${session}\nchosen`];
    if (tool === USER_REQUEST_EVENT && phase === 'event')
      for (const row of [session, handshakes, chosen]) tables.endRepeats(row);
    if (phase !== 'pre') return;
    if (tool !== HANDSHAKE_TOOL) {
      tables.countRepeat(session, args_hash);
      tables.endRepeats(handshakes);
      return;
    }
    tables.countRepeat(handshakes, args_hash);
    if (status !== 'allowed' || intent_id === undefined) return;
    if (tables.repeats(chosen)?.identity === intent_id) return;
    tables.countRepeat(chosen, intent_id);
    tables.endRepeats(session);
  }

  trace(record: TraceRecord, offset: number): void {
    const { tables } = this;
    tables.addMutation(record.intent_id, record.path, offset);
    if (record.path === null) return;
    if (record.from_path !== undefined) tables.dropOwner(record.from_path);
    const before = tables.owner(record.path);
    const earlier = before ? [...before.earlier] : [];
    if (before && !earlier.includes(before.intentId)) earlier.push(before.intentId);
    tables.putOwner({
      path: record.path,
      intentId: record.intent_id,
      intentName: record.intent_name,
      contentHash: record.mutation === 'delete' ? '' : record.content_hash,
      changedAt: record.timestamp,
      earlier: earlier.filter((id) => id !== record.intent_id),
    });
  }
}
