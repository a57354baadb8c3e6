import type { Receipt } from '../core/receipt.ts';
import type { TraceRecord } from '../core/trace-record.ts';
import { HANDSHAKE_TOOL } from '../core/words.ts';
import { type Db, statement } from '../platform/sqlite.ts';

/** Event receipts whose tool is this end a run of identical calls: a human has spoken (H-90). */
export const USER_REQUEST_EVENT = 'pactclaw.user_request';

const ADD_USAGE =
  'INSERT INTO usage VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET turns = turns + excluded.turns, tokens = tokens + excluded.tokens';
const CLEAR_USAGE = 'DELETE FROM usage WHERE intent_id = ?';
const SET_TRIP =
  'INSERT INTO trip VALUES (?, ?, 0) ON CONFLICT DO UPDATE SET reason = excluded.reason, written = 0';
const SETTLE_TRIP = 'UPDATE trip SET written = 1 WHERE intent_id = ?';
const CLEAR_TRIP = 'DELETE FROM trip WHERE intent_id = ?';
const STREAK =
  'INSERT INTO streak VALUES (?, ?, 1) ON CONFLICT DO UPDATE SET count = iif(identity = excluded.identity, count + 1, 1), identity = excluded.identity';
const CHOSEN = 'SELECT identity FROM streak WHERE session_id = ?';
const END_STREAK = 'DELETE FROM streak WHERE session_id = ?';
const MUTATION = 'INSERT INTO mutation (intent_id, path, offset) VALUES (?, ?, ?)';
const OWNER = 'SELECT intent_id, intent_name, earlier FROM owner WHERE path = ?';
const SET_OWNER = 'INSERT OR REPLACE INTO owner VALUES (?, ?, ?, ?, ?, ?)';
const DROP_OWNER = 'DELETE FROM owner WHERE path = ?';

/** Where a session's row of identical handshakes is kept, apart from that of its other calls. */
export function handshakeRow(sessionId: string): string {
  return `${sessionId}\nhandshake`;
}

/**
 * Folds log lines into the tables that decisions read. The same code serves an append and a rebuild, so that a
 * deleted database never refills a budget (architecture §4).
 */
export class Ingest {
  constructor(private readonly db: Db) {}

  #run(sql: string, ...values: unknown[]): void {
    statement(this.db, sql).run(...values);
  }

  receipt(record: Receipt): void {
    if (record.usage) this.#run(ADD_USAGE, record.usage.intent_id, record.usage.turns, record.usage.tokens);
    this.#streak(record);
    const event = record.intent_event;
    if (!event) return;
    if (event.event === 'blocked') this.#run(SET_TRIP, event.intent_id, event.reason);
    if (event.event === 'settled') this.#run(SETTLE_TRIP, event.intent_id);
    if (event.event === 'reset') {
      this.#run(CLEAR_TRIP, event.intent_id);
      this.#run(CLEAR_USAGE, event.intent_id);
    }
  }

  /**
   * Keeps the row of identical calls (H-90). The handshake has a row of its own: choosing the same intent again ends no
   * other row, so that a call cannot be repeated for ever with a handshake in between (C-100).
   */
  #streak({ phase, tool, conversation_id: session, args_hash, status, intent_id }: Receipt): void {
    const [handshakes, chosen] = [handshakeRow(session), `${session}\nchosen`];
    if (tool === USER_REQUEST_EVENT && phase === 'event')
      for (const row of [session, handshakes, chosen]) this.#run(END_STREAK, row);
    if (phase !== 'pre') return;
    if (tool !== HANDSHAKE_TOOL) {
      this.#run(STREAK, session, args_hash);
      this.#run(END_STREAK, handshakes);
      return;
    }
    this.#run(STREAK, handshakes, args_hash);
    if (status !== 'allowed' || intent_id === undefined) return;
    const before = statement(this.db, CHOSEN).get(chosen) as { identity: string } | undefined;
    if (before?.identity === intent_id) return;
    this.#run(STREAK, chosen, intent_id);
    this.#run(END_STREAK, session);
  }

  trace(record: TraceRecord, offset: number): void {
    this.#run(MUTATION, record.intent_id, record.path, offset);
    if (record.path === null) return;
    if (record.from_path !== undefined) this.#run(DROP_OWNER, record.from_path);
    const before = statement(this.db, OWNER).get(record.path) as
      | { intent_id: string; intent_name: string; earlier: string }
      | undefined;
    const earlier: string[] = before ? JSON.parse(before.earlier) : [];
    if (before && before.intent_id !== record.intent_id && !earlier.includes(before.intent_id))
      earlier.push(before.intent_id);
    const others = earlier.filter((id) => id !== record.intent_id);
    this.#run(
      SET_OWNER,
      record.path,
      record.intent_id,
      record.intent_name,
      record.mutation === 'delete' ? '' : record.content_hash,
      record.timestamp,
      JSON.stringify(others),
    );
  }
}
