import { BEGINNING } from '../../core/machine.ts';
import type { SessionState } from '../../core/words.ts';
import { nowIso } from '../../platform/clock.ts';
import type { Reading, SessionRow, Writing } from '../port.ts';
import type { Sql } from './sql.ts';

type Sessions = Pick<Reading, 'session' | 'sessions' | 'transcript'> &
  Pick<Writing, 'putSession' | 'putTranscript'>;

const COLUMNS =
  'id, state, intent_id AS intentId, pending_id AS pendingId, halt_reason AS haltReason, halt_intent AS haltIntent, host, model, reasoning';

/** Sessions, and how far their hosts' transcripts were read. */
export function sessionTable(sql: Sql): Sessions {
  return {
    session(id) {
      const row = sql.get<SessionRow & { state: SessionState }>(
        `SELECT ${COLUMNS} FROM session WHERE id = ?`,
        id,
      );
      const nothing = { haltReason: null, haltIntent: null, host: null, model: null, reasoning: null };
      return row ?? { id, ...BEGINNING, ...nothing };
    },
    sessions: (limit) =>
      sql.all(
        `SELECT ${COLUMNS}, updated_at AS updatedAt FROM session ORDER BY updated_at DESC LIMIT ?`,
        limit,
      ),
    putSession(row) {
      sql.run(
        'INSERT OR REPLACE INTO session VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
        row.id,
        row.state,
        row.intentId,
        row.pendingId,
        row.haltReason,
        row.haltIntent,
        row.host,
        row.model,
        row.reasoning,
        nowIso(),
      );
    },
    transcript: (path) =>
      sql.get('SELECT offset, last_message AS lastMessage, model FROM transcript WHERE path = ?', path) ??
      null,
    putTranscript(path, sessionId, { offset, lastMessage, model }) {
      sql.run(
        'INSERT OR REPLACE INTO transcript VALUES (?, ?, ?, ?, ?)',
        path,
        sessionId,
        offset,
        lastMessage,
        model,
      );
    },
  };
}
