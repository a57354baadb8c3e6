import { wallMs } from '../platform/clock.ts';
import { SessionTables } from './session-tables.ts';

/** A call that has not ended after this long never will. */
const IN_FLIGHT_MS = 600_000;
const LONGEST_COMMAND_MS = 24 * 3_600_000;

/** What PreToolUse leaves for PostToolUse of the same call. */
export interface PendingCall {
  readonly receiptId: string;
  readonly intentId: string | null;
  readonly detail: string;
}

/** A file as it was before a call. `hash` is null when it did not exist, `content` also when it was too large to keep. */
export interface Preimage {
  readonly path: string;
  readonly hash: string | null;
  readonly content: Buffer | null;
}

/** Calls between their attempt and their outcome. */
export class CallTables extends SessionTables {
  pendingCall(sessionId: string, callId: string): PendingCall | null {
    const row = this.prepared(
      'SELECT receipt_id, intent_id, detail FROM call WHERE session_id = ? AND call_id = ?',
    ).get(sessionId, callId) as { receipt_id: string; intent_id: string | null; detail: string } | undefined;
    return row ? { receiptId: row.receipt_id, intentId: row.intent_id, detail: row.detail } : null;
  }

  /** Keeps a call until its outcome comes. `mark` remembers how far the ledger was when it began. */
  putCall(sessionId: string, callId: string, call: PendingCall): void {
    this.prepared(
      `INSERT INTO call VALUES (?, ?, ?, ?, ?, (SELECT ifnull(max(id), 0) FROM mutation), ?)
         ON CONFLICT DO UPDATE SET receipt_id = excluded.receipt_id, intent_id = excluded.intent_id, detail = excluded.detail`,
    ).run(sessionId, callId, call.receiptId, call.intentId, call.detail, wallMs());
  }

  /** Calls that were allowed and have not ended, of the last ten minutes; older ones will never end. */
  callsInFlight(): (PendingCall & { sessionId: string; callId: string })[] {
    const rows = this.prepared(
      'SELECT session_id, call_id, receipt_id, intent_id, detail FROM call WHERE started_ms > ?',
    ).all(wallMs() - IN_FLIGHT_MS) as {
      session_id: string;
      call_id: string;
      receipt_id: string;
      intent_id: string | null;
      detail: string;
    }[];
    return rows.map((row) => ({
      sessionId: row.session_id,
      callId: row.call_id,
      receiptId: row.receipt_id,
      intentId: row.intent_id,
      detail: row.detail,
    }));
  }

  /** Calls of a session whose id begins so, in the order they began. `prefix` holds no wildcards. */
  callsBeginningWith(sessionId: string, prefix: string): { callId: string; detail: string }[] {
    const rows = this.prepared(
      'SELECT call_id, detail FROM call WHERE session_id = ? AND substr(call_id, 1, ?) = ? ORDER BY started_ms, call_id',
    ).all(sessionId, prefix.length, prefix) as { call_id: string; detail: string }[];
    return rows.map((row) => ({ callId: row.call_id, detail: row.detail }));
  }

  /** Paths that the ledger gained since a call in flight began. */
  recordedSince(sessionId: string, callId: string): string[] {
    const rows = this.prepared(
      'SELECT path FROM mutation WHERE path IS NOT NULL AND id > (SELECT mark FROM call WHERE session_id = ? AND call_id = ?)',
    ).all(sessionId, callId) as { path: string }[];
    return rows.map((row) => row.path);
  }

  /**
   * Forgets calls of a session that will never end: a new request or a new start has come. A command is kept for
   * the time it can run: one of a subagent goes on, and what it changes must still be found when it ends.
   */
  dropCalls(sessionId: string): void {
    this.prepared(
      "DELETE FROM call WHERE session_id = ? AND (started_ms < ? OR json_extract(detail, '$.snapshot') IS NULL)",
    ).run(sessionId, wallMs() - LONGEST_COMMAND_MS);
    this.prepared(
      'DELETE FROM preimage WHERE session_id = ? AND call_id NOT IN (SELECT call_id FROM call WHERE session_id = ?)',
    ).run(sessionId, sessionId);
  }

  endCall(sessionId: string, callId: string): void {
    this.prepared('DELETE FROM call WHERE session_id = ? AND call_id = ?').run(sessionId, callId);
    this.prepared('DELETE FROM preimage WHERE session_id = ? AND call_id = ?').run(sessionId, callId);
  }

  preimages(sessionId: string, callId: string): Preimage[] {
    return this.prepared('SELECT path, hash, content FROM preimage WHERE session_id = ? AND call_id = ?').all(
      sessionId,
      callId,
    ) as Preimage[];
  }

  putPreimage(sessionId: string, callId: string, image: Preimage): void {
    this.prepared('INSERT OR REPLACE INTO preimage VALUES (?, ?, ?, ?, ?)').run(
      sessionId,
      callId,
      image.path,
      image.hash,
      image.content,
    );
  }
}
