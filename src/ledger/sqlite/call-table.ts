import { wallMs } from '../../platform/clock.ts';
import type { Preimage, Reading, Writing } from '../port.ts';
import type { Sql } from './sql.ts';

type Calls = Pick<
  Reading,
  'pendingCall' | 'callsInFlight' | 'callsBeginningWith' | 'recordedSince' | 'preimages'
> &
  Pick<Writing, 'putCall' | 'dropCalls' | 'endCall' | 'putPreimage'>;

/** A call that has not ended after this long never will. */
const IN_FLIGHT_MS = 600_000;
const LONGEST_COMMAND_MS = 24 * 3_600_000;

const PENDING = 'receipt_id AS receiptId, intent_id AS intentId, detail';
const IN_FLIGHT = `SELECT session_id AS sessionId, call_id AS callId, ${PENDING} FROM call`;
const ONE = 'session_id = ? AND call_id = ?';

/** Calls between their attempt and their outcome. */
export function callTable(sql: Sql): Calls {
  const endCall = (sessionId: string, callId: string): void => {
    sql.run(`DELETE FROM call WHERE ${ONE}`, sessionId, callId);
    sql.run(`DELETE FROM preimage WHERE ${ONE}`, sessionId, callId);
  };
  return {
    pendingCall: (sessionId, callId) =>
      sql.get(`SELECT ${PENDING} FROM call WHERE ${ONE}`, sessionId, callId) ?? null,
    putCall(sessionId, callId, { receiptId, intentId, detail }) {
      sql.run(
        `INSERT INTO call VALUES (?, ?, ?, ?, ?, (SELECT ifnull(max(id), 0) FROM mutation), ?)
         ON CONFLICT DO UPDATE SET receipt_id = excluded.receipt_id, intent_id = excluded.intent_id, detail = excluded.detail`,
        sessionId,
        callId,
        receiptId,
        intentId,
        detail,
        wallMs(),
      );
    },
    callsInFlight(sessionId) {
      const since = wallMs() - IN_FLIGHT_MS;
      return sessionId === undefined
        ? sql.all(`${IN_FLIGHT} WHERE started_ms > ?`, since)
        : sql.all(`${IN_FLIGHT} WHERE session_id = ? AND started_ms > ?`, sessionId, since);
    },
    callsBeginningWith: (sessionId, prefix) =>
      sql.all(
        'SELECT call_id AS callId, detail FROM call WHERE session_id = ? AND substr(call_id, 1, length(?)) = ? ORDER BY started_ms, call_id',
        sessionId,
        prefix,
        prefix,
      ),
    recordedSince: (sessionId, callId) =>
      sql
        .all<{ path: string }>(
          `SELECT path FROM mutation WHERE path IS NOT NULL AND id > (SELECT mark FROM call WHERE ${ONE})`,
          sessionId,
          callId,
        )
        .map(({ path }) => path),
    dropCalls(sessionId, lasts) {
      const calls = sql.all<{ callId: string; detail: string; startedMs: number }>(
        'SELECT call_id AS callId, detail, started_ms AS startedMs FROM call WHERE session_id = ?',
        sessionId,
      );
      const oldest = wallMs() - LONGEST_COMMAND_MS;
      for (const { callId, detail, startedMs } of calls)
        if (startedMs < oldest || !lasts(detail)) endCall(sessionId, callId);
    },
    endCall,
    preimages: (sessionId, callId) =>
      sql.all<Preimage>(`SELECT path, hash, content FROM preimage WHERE ${ONE}`, sessionId, callId),
    putPreimage(sessionId, callId, { path, hash, content }) {
      sql.run(
        'INSERT OR REPLACE INTO preimage VALUES (?, ?, ?, ?, ?)',
        sessionId,
        callId,
        path,
        hash,
        content,
      );
    },
  };
}
