import { BEGINNING, type SessionPosition } from '../core/machine.ts';
import { HANDSHAKE_TOOL, type SessionState } from '../core/words.ts';
import { nowIso } from '../platform/clock.ts';
import { type Db, statement } from '../platform/sqlite.ts';
import { handshakeRow } from './ingest.ts';

/** A session as it stands between two hook processes. */
export interface SessionRow extends SessionPosition {
  readonly id: string;
  readonly haltReason: string | null;
  readonly haltIntent: string | null;
  readonly host: string | null;
  readonly model: string | null;
  /** What the agent said when it chose its intent; the rationale of what it does then (H-76). */
  readonly reasoning: string | null;
}

/** How far a host's transcript has been read. */
export interface TranscriptMark {
  readonly offset: number;
  readonly lastMessage: string | null;
  readonly model: string | null;
}

/** Sessions, and what of their hosts' transcripts and calls was seen. */
export class SessionTables {
  constructor(protected readonly db: Db) {}

  protected prepared(sql: string): ReturnType<typeof statement> {
    return statement(this.db, sql);
  }

  session(id: string): SessionRow {
    const row = this.prepared(
      'SELECT state, intent_id, pending_id, halt_reason, halt_intent, host, model, reasoning FROM session WHERE id = ?',
    ).get(id) as Record<string, string | null> | undefined;
    if (!row)
      return {
        id,
        ...BEGINNING,
        haltReason: null,
        haltIntent: null,
        host: null,
        model: null,
        reasoning: null,
      };
    return {
      id,
      state: row.state as SessionState,
      intentId: row.intent_id ?? null,
      pendingId: row.pending_id ?? null,
      haltReason: row.halt_reason ?? null,
      haltIntent: row.halt_intent ?? null,
      host: row.host ?? null,
      model: row.model ?? null,
      reasoning: row.reasoning ?? null,
    };
  }

  putSession(row: SessionRow): void {
    this.prepared('INSERT OR REPLACE INTO session VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)').run(
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
  }

  /** Sessions, the one changed last first. */
  sessions(limit: number): (SessionRow & { updatedAt: string })[] {
    const rows = this.prepared('SELECT id, updated_at FROM session ORDER BY updated_at DESC LIMIT ?').all(
      limit,
    ) as { id: string; updated_at: string }[];
    return rows.map(({ id, updated_at }) => ({ ...this.session(id), updatedAt: updated_at }));
  }

  /** Identical calls in a row if a call with this identity came now (H-90). */
  repeatsWith(sessionId: string, tool: string, identity: string): number {
    const key = tool === HANDSHAKE_TOOL ? handshakeRow(sessionId) : sessionId;
    const row = this.prepared('SELECT identity, count FROM streak WHERE session_id = ?').get(key) as
      | { identity: string; count: number }
      | undefined;
    return row?.identity === identity ? row.count + 1 : 1;
  }

  transcript(path: string): TranscriptMark | null {
    const row = this.prepared('SELECT offset, last_message, model FROM transcript WHERE path = ?').get(
      path,
    ) as { offset: number; last_message: string | null; model: string | null } | undefined;
    return row ? { offset: row.offset, lastMessage: row.last_message, model: row.model } : null;
  }

  putTranscript(path: string, sessionId: string, mark: TranscriptMark): void {
    this.prepared('INSERT OR REPLACE INTO transcript VALUES (?, ?, ?, ?, ?)').run(
      path,
      sessionId,
      mark.offset,
      mark.lastMessage,
      mark.model,
    );
  }
}
