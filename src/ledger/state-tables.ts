import type { Owner, Usage } from '../core/facts.ts';
import { CallTables } from './call-tables.ts';

/** A file in the intent map (H-64). */
export interface OwnerRow extends Owner {
  readonly path: string;
  /** Empty when the file was deleted. */
  readonly contentHash: string;
  readonly changedAt: string;
  readonly earlier: readonly string[];
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
export class StateTables extends CallTables {
  usage(intentId: string): Usage {
    const row = this.prepared('SELECT turns, tokens FROM usage WHERE intent_id = ?').get(intentId) as
      | Usage
      | undefined;
    return row ?? { turns: 0, tokens: 0 };
  }

  /** The trip that blocked an intent and that no human has cleared yet. */
  trip(intentId: string): { reason: string; written: boolean } | null {
    const row = this.prepared('SELECT reason, written FROM trip WHERE intent_id = ?').get(intentId) as
      | { reason: string; written: number }
      | undefined;
    return row ? { reason: row.reason, written: row.written === 1 } : null;
  }

  trips(): { intentId: string; reason: string; written: boolean }[] {
    const rows = this.prepared('SELECT intent_id, reason, written FROM trip').all() as {
      intent_id: string;
      reason: string;
      written: number;
    }[];
    return rows.map((row) => ({ intentId: row.intent_id, reason: row.reason, written: row.written === 1 }));
  }

  /** Whether the trip has reached the human's file; until then the engine blocks the intent by itself. */
  markTrip(intentId: string, written: boolean): void {
    this.prepared('UPDATE trip SET written = ? WHERE intent_id = ?').run(written ? 1 : 0, intentId);
  }

  owner(path: string): OwnerRow | null {
    const row = this.prepared('SELECT * FROM owner WHERE path = ?').get(path) as RawOwner | undefined;
    return row ? toOwner(row) : null;
  }

  /** Whether the ledger has any file on record. */
  hasOwners(): boolean {
    return this.prepared('SELECT 1 FROM owner LIMIT 1').get() !== undefined;
  }

  owners(): OwnerRow[] {
    return (this.prepared('SELECT * FROM owner ORDER BY path').all() as RawOwner[]).map(toOwner);
  }

  /** Ledger offsets of an intent's latest mutations, newest first (H-35). */
  latestMutations(intentId: string, limit: number): number[] {
    const rows = this.prepared(
      'SELECT offset FROM mutation WHERE intent_id = ? ORDER BY id DESC LIMIT ?',
    ).all(intentId, limit) as { offset: number }[];
    return rows.map((row) => row.offset);
  }

  /** Lines and bytes of a log as last seen, without reading it. */
  logSize(name: 'receipts' | 'trace'): { lines: number; bytes: number } {
    const row = this.prepared('SELECT lines, size FROM log WHERE name = ?').get(name) as
      | { lines: number; size: number }
      | undefined;
    return { lines: row?.lines ?? 0, bytes: row?.size ?? 0 };
  }

  compiled(file: string, digest: string): string | null {
    const row = this.prepared('SELECT value FROM compiled WHERE file = ? AND digest = ?').get(file, digest) as
      | { value: string }
      | undefined;
    return row?.value ?? null;
  }

  putCompiled(file: string, digest: string, value: string): void {
    this.prepared('INSERT OR REPLACE INTO compiled VALUES (?, ?, ?)').run(file, digest, value);
  }

  note(key: string): string | null {
    const row = this.prepared('SELECT value FROM note WHERE key = ?').get(key) as
      | { value: string }
      | undefined;
    return row?.value ?? null;
  }

  putNote(key: string, value: string): void {
    this.prepared('INSERT OR REPLACE INTO note VALUES (?, ?)').run(key, value);
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
