import type { Receipt } from '../core/receipt.ts';
import type { TraceRecord } from '../core/trace-record.ts';
import type { Db } from '../platform/sqlite.ts';

/** Event receipts whose tool is this end a run of identical calls: a human has spoken (H-90). */
export const USER_REQUEST_EVENT = 'pactclaw.user_request';

/**
 * Folds log lines into the tables that decisions read. The same code serves an append and a rebuild, so that a
 * deleted database never refills a budget (architecture §4).
 */
export class Ingest {
  readonly #addUsage;
  readonly #clearUsage;
  readonly #setTrip;
  readonly #settleTrip;
  readonly #clearTrip;
  readonly #streak;
  readonly #endStreak;
  readonly #mutation;
  readonly #owner;
  readonly #setOwner;
  readonly #dropOwner;

  constructor(db: Db) {
    this.#addUsage = db.prepare(
      'INSERT INTO usage VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET turns = turns + excluded.turns, tokens = tokens + excluded.tokens',
    );
    this.#clearUsage = db.prepare('DELETE FROM usage WHERE intent_id = ?');
    this.#setTrip = db.prepare(
      'INSERT INTO trip VALUES (?, ?, 0) ON CONFLICT DO UPDATE SET reason = excluded.reason, written = 0',
    );
    this.#settleTrip = db.prepare('UPDATE trip SET written = 1 WHERE intent_id = ?');
    this.#clearTrip = db.prepare('DELETE FROM trip WHERE intent_id = ?');
    this.#streak = db.prepare(
      'INSERT INTO streak VALUES (?, ?, 1) ON CONFLICT DO UPDATE SET count = iif(identity = excluded.identity, count + 1, 1), identity = excluded.identity',
    );
    this.#endStreak = db.prepare('DELETE FROM streak WHERE session_id = ?');
    this.#mutation = db.prepare('INSERT INTO mutation (intent_id, path, offset) VALUES (?, ?, ?)');
    this.#owner = db.prepare('SELECT intent_id, intent_name, earlier FROM owner WHERE path = ?');
    this.#setOwner = db.prepare('INSERT OR REPLACE INTO owner VALUES (?, ?, ?, ?, ?, ?)');
    this.#dropOwner = db.prepare('DELETE FROM owner WHERE path = ?');
  }

  receipt(record: Receipt): void {
    if (record.usage) this.#addUsage.run(record.usage.intent_id, record.usage.turns, record.usage.tokens);
    if (record.phase === 'pre') this.#streak.run(record.conversation_id, record.args_hash);
    else if (record.tool === USER_REQUEST_EVENT) this.#endStreak.run(record.conversation_id);
    const event = record.intent_event;
    if (!event) return;
    if (event.event === 'blocked') this.#setTrip.run(event.intent_id, event.reason);
    if (event.event === 'settled') this.#settleTrip.run(event.intent_id);
    if (event.event === 'reset') {
      this.#clearTrip.run(event.intent_id);
      this.#clearUsage.run(event.intent_id);
    }
  }

  trace(record: TraceRecord, offset: number): void {
    this.#mutation.run(record.intent_id, record.path, offset);
    if (record.path === null) return;
    if (record.from_path !== undefined) this.#dropOwner.run(record.from_path);
    const before = this.#owner.get(record.path) as
      | { intent_id: string; intent_name: string; earlier: string }
      | undefined;
    const earlier: string[] = before ? JSON.parse(before.earlier) : [];
    if (before && before.intent_id !== record.intent_id && !earlier.includes(before.intent_id))
      earlier.push(before.intent_id);
    const others = earlier.filter((id) => id !== record.intent_id);
    this.#setOwner.run(
      record.path,
      record.intent_id,
      record.intent_name,
      record.mutation === 'delete' ? '' : record.content_hash,
      record.timestamp,
      JSON.stringify(others),
    );
  }
}
