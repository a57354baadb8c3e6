import type { Owner, Usage } from '../core/facts.ts';
import { BEGINNING, type SessionPosition } from '../core/machine.ts';
import type { SessionState } from '../core/words.ts';
import { nowIso, wallMs } from '../platform/clock.ts';
import type { Db } from '../platform/sqlite.ts';

/** A call that has not ended after this long never will. */
const IN_FLIGHT_MS = 600_000;
const LONGEST_COMMAND_MS = 24 * 3_600_000;

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

/** A file in the intent map (H-64). */
export interface OwnerRow extends Owner {
  readonly path: string;
  /** Empty when the file was deleted. */
  readonly contentHash: string;
  readonly changedAt: string;
  readonly earlier: readonly string[];
}

/** How far a host's transcript has been read. */
export interface TranscriptMark {
  readonly offset: number;
  readonly lastMessage: string | null;
  readonly model: string | null;
}

interface RawOwner {
  path: string;
  intent_id: string;
  intent_name: string;
  content_hash: string;
  changed_at: string;
  earlier: string;
}

function toOwner(row: RawOwner): OwnerRow {
  return {
    path: row.path,
    intentId: row.intent_id,
    intentName: row.intent_name,
    contentHash: row.content_hash,
    changedAt: row.changed_at,
    earlier: JSON.parse(row.earlier),
  };
}

/** The tables of `state.db` that the engine reads and writes, behind names of the domain. */
export class StateTables {
  constructor(protected readonly db: Db) {}

  session(id: string): SessionRow {
    const row = this.db
      .prepare(
        'SELECT state, intent_id, pending_id, halt_reason, halt_intent, host, model, reasoning FROM session WHERE id = ?',
      )
      .get(id) as Record<string, string | null> | undefined;
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
    this.db
      .prepare('INSERT OR REPLACE INTO session VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
      .run(
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
    const rows = this.db
      .prepare('SELECT id, updated_at FROM session ORDER BY updated_at DESC LIMIT ?')
      .all(limit) as { id: string; updated_at: string }[];
    return rows.map(({ id, updated_at }) => ({ ...this.session(id), updatedAt: updated_at }));
  }

  /** Identical calls in a row if a call with this identity came now (H-90). */
  repeatsWith(sessionId: string, identity: string): number {
    const row = this.db.prepare('SELECT identity, count FROM streak WHERE session_id = ?').get(sessionId) as
      | { identity: string; count: number }
      | undefined;
    return row?.identity === identity ? row.count + 1 : 1;
  }

  usage(intentId: string): Usage {
    const row = this.db.prepare('SELECT turns, tokens FROM usage WHERE intent_id = ?').get(intentId) as
      | Usage
      | undefined;
    return row ?? { turns: 0, tokens: 0 };
  }

  /** The trip that blocked an intent and that no human has cleared yet. */
  trip(intentId: string): { reason: string; written: boolean } | null {
    const row = this.db.prepare('SELECT reason, written FROM trip WHERE intent_id = ?').get(intentId) as
      | { reason: string; written: number }
      | undefined;
    return row ? { reason: row.reason, written: row.written === 1 } : null;
  }

  trips(): { intentId: string; reason: string; written: boolean }[] {
    const rows = this.db.prepare('SELECT intent_id, reason, written FROM trip').all() as {
      intent_id: string;
      reason: string;
      written: number;
    }[];
    return rows.map((row) => ({ intentId: row.intent_id, reason: row.reason, written: row.written === 1 }));
  }

  /** Whether the trip has reached the human's file; until then the engine blocks the intent by itself. */
  markTrip(intentId: string, written: boolean): void {
    this.db.prepare('UPDATE trip SET written = ? WHERE intent_id = ?').run(written ? 1 : 0, intentId);
  }

  pendingCall(sessionId: string, callId: string): PendingCall | null {
    const row = this.db
      .prepare('SELECT receipt_id, intent_id, detail FROM call WHERE session_id = ? AND call_id = ?')
      .get(sessionId, callId) as { receipt_id: string; intent_id: string | null; detail: string } | undefined;
    return row ? { receiptId: row.receipt_id, intentId: row.intent_id, detail: row.detail } : null;
  }

  /** Keeps a call until its outcome comes. `mark` remembers how far the ledger was when it began. */
  putCall(sessionId: string, callId: string, call: PendingCall): void {
    this.db
      .prepare(
        `INSERT INTO call VALUES (?, ?, ?, ?, ?, (SELECT ifnull(max(id), 0) FROM mutation), ?)
         ON CONFLICT DO UPDATE SET receipt_id = excluded.receipt_id, intent_id = excluded.intent_id, detail = excluded.detail`,
      )
      .run(sessionId, callId, call.receiptId, call.intentId, call.detail, wallMs());
  }

  /** Calls that were allowed and have not ended, of the last ten minutes; older ones will never end. */
  callsInFlight(): (PendingCall & { sessionId: string; callId: string })[] {
    const rows = this.db
      .prepare('SELECT session_id, call_id, receipt_id, intent_id, detail FROM call WHERE started_ms > ?')
      .all(wallMs() - IN_FLIGHT_MS) as {
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

  /** Paths that the ledger gained since a call in flight began. */
  recordedSince(sessionId: string, callId: string): string[] {
    const rows = this.db
      .prepare(
        'SELECT path FROM mutation WHERE path IS NOT NULL AND id > (SELECT mark FROM call WHERE session_id = ? AND call_id = ?)',
      )
      .all(sessionId, callId) as { path: string }[];
    return rows.map((row) => row.path);
  }

  /**
   * Forgets calls of a session that will never end: a new request or a new start has come. A command is kept for
   * the time it can run: one of a subagent goes on, and what it changes must still be found when it ends.
   */
  dropCalls(sessionId: string): void {
    this.db
      .prepare(
        "DELETE FROM call WHERE session_id = ? AND (started_ms < ? OR json_extract(detail, '$.snapshot') IS NULL)",
      )
      .run(sessionId, wallMs() - LONGEST_COMMAND_MS);
    this.db
      .prepare(
        'DELETE FROM preimage WHERE session_id = ? AND call_id NOT IN (SELECT call_id FROM call WHERE session_id = ?)',
      )
      .run(sessionId, sessionId);
  }

  endCall(sessionId: string, callId: string): void {
    this.db.prepare('DELETE FROM call WHERE session_id = ? AND call_id = ?').run(sessionId, callId);
    this.db.prepare('DELETE FROM preimage WHERE session_id = ? AND call_id = ?').run(sessionId, callId);
  }

  preimages(sessionId: string, callId: string): Preimage[] {
    return this.db
      .prepare('SELECT path, hash, content FROM preimage WHERE session_id = ? AND call_id = ?')
      .all(sessionId, callId) as Preimage[];
  }

  putPreimage(sessionId: string, callId: string, image: Preimage): void {
    this.db
      .prepare('INSERT OR REPLACE INTO preimage VALUES (?, ?, ?, ?, ?)')
      .run(sessionId, callId, image.path, image.hash, image.content);
  }

  transcript(path: string): TranscriptMark | null {
    const row = this.db
      .prepare('SELECT offset, last_message, model FROM transcript WHERE path = ?')
      .get(path) as { offset: number; last_message: string | null; model: string | null } | undefined;
    return row ? { offset: row.offset, lastMessage: row.last_message, model: row.model } : null;
  }

  putTranscript(path: string, sessionId: string, mark: TranscriptMark): void {
    this.db
      .prepare('INSERT OR REPLACE INTO transcript VALUES (?, ?, ?, ?, ?)')
      .run(path, sessionId, mark.offset, mark.lastMessage, mark.model);
  }

  owner(path: string): OwnerRow | null {
    const row = this.db.prepare('SELECT * FROM owner WHERE path = ?').get(path) as RawOwner | undefined;
    return row ? toOwner(row) : null;
  }

  /** Whether the ledger has any file on record. */
  hasOwners(): boolean {
    return this.db.prepare('SELECT 1 FROM owner LIMIT 1').get() !== undefined;
  }

  owners(): OwnerRow[] {
    return (this.db.prepare('SELECT * FROM owner ORDER BY path').all() as RawOwner[]).map(toOwner);
  }

  /** Ledger offsets of an intent's latest mutations, newest first (H-35). */
  latestMutations(intentId: string, limit: number): number[] {
    const rows = this.db
      .prepare('SELECT offset FROM mutation WHERE intent_id = ? ORDER BY id DESC LIMIT ?')
      .all(intentId, limit) as { offset: number }[];
    return rows.map((row) => row.offset);
  }

  /** Lines and bytes of a log as last seen, without reading it. */
  logSize(name: 'receipts' | 'trace'): { lines: number; bytes: number } {
    const row = this.db.prepare('SELECT lines, size FROM log WHERE name = ?').get(name) as
      | { lines: number; size: number }
      | undefined;
    return { lines: row?.lines ?? 0, bytes: row?.size ?? 0 };
  }

  compiled(file: string, digest: string): string | null {
    const row = this.db
      .prepare('SELECT value FROM compiled WHERE file = ? AND digest = ?')
      .get(file, digest) as { value: string } | undefined;
    return row?.value ?? null;
  }

  putCompiled(file: string, digest: string, value: string): void {
    this.db.prepare('INSERT OR REPLACE INTO compiled VALUES (?, ?, ?)').run(file, digest, value);
  }

  note(key: string): string | null {
    const row = this.db.prepare('SELECT value FROM note WHERE key = ?').get(key) as
      | { value: string }
      | undefined;
    return row?.value ?? null;
  }

  putNote(key: string, value: string): void {
    this.db.prepare('INSERT OR REPLACE INTO note VALUES (?, ?)').run(key, value);
  }

  /** Empties what is rebuilt from the receipts. */
  protected forgetReceipts(): void {
    this.db.exec('DELETE FROM usage; DELETE FROM trip; DELETE FROM streak;');
  }

  /** Empties what is rebuilt from the ledger. */
  protected forgetTrace(): void {
    this.db.exec('DELETE FROM mutation; DELETE FROM owner;');
  }
}
