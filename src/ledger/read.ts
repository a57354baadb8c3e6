import type { ChainHead, CheckedLink } from '../core/chain.ts';
import { isObject } from '../core/json.ts';
import type { Layout } from '../core/layout.ts';
import type { Receipt } from '../core/receipt.ts';
import type { TraceRecord } from '../core/trace-record.ts';
import { exists } from '../platform/files.ts';
import { readLines } from '../platform/read-lines.ts';
import { openStorageToLook } from './sqlite/storage.ts';
import { type LinePlace, type LogName, type Replay, type Verification, verifyLog } from './verify.ts';

/** Which records a listing wants; the newest `limit` of them. */
export interface ListFilter {
  readonly intent?: string;
  readonly session?: string;
  /** Milliseconds of wall time. */
  readonly since?: number;
  readonly violations?: boolean;
  readonly limit: number;
}

/** An attempt with its outcome folded in; an event or a stray outcome stands alone. `position` counts from 1. */
export interface Attempt {
  readonly position: number;
  readonly receipt: Receipt;
  outcome: Receipt | null;
}

export interface TraceEntry {
  readonly position: number;
  readonly record: TraceRecord;
}

/** What a listing found. Lines that are no records are counted, not hidden. */
export interface Listing<T> {
  readonly entries: readonly T[];
  readonly damagedLines: readonly number[];
}

export type OnLine = (lines: number) => void;

/** Attempts whose outcome may still come; more are not in flight at once. */
const MAX_OPEN = 10_000;

function* objectsOf<T>(
  file: string,
  damaged: number[],
  onLine?: OnLine,
): Generator<{ position: number; record: T }> {
  for (const line of readLines(file)) {
    if (line.torn) return;
    if (line.number % 1_000 === 0) onLine?.(line.number);
    let record: unknown = null;
    try {
      record = JSON.parse(line.text);
    } catch {
      // Told by its number below.
    }
    if (isObject(record)) yield { position: line.number, record: record as unknown as T };
    else damaged.push(line.number);
  }
}

/** The newest entries, without ever holding many more. */
class Newest<T> {
  readonly #kept: T[] = [];
  constructor(private readonly limit: number) {}
  add(entry: T): void {
    this.#kept.push(entry);
    if (this.#kept.length > this.limit * 2 + 64) this.#kept.splice(0, this.#kept.length - this.limit);
  }
  all(): T[] {
    return this.#kept.slice(-this.limit);
  }
}

function isWanted(
  filter: ListFilter,
  intent: string | undefined,
  session: string,
  timestamp: string,
): boolean {
  if (filter.intent !== undefined && filter.intent !== intent) return false;
  if (filter.session !== undefined && filter.session !== session) return false;
  return filter.since === undefined || Date.parse(timestamp) >= filter.since;
}

/** Receipts in the log's order, each outcome folded into its attempt (R-23, C-52). */
export function listReceipts(file: string, filter: ListFilter, onLine?: OnLine): Listing<Attempt> {
  const damagedLines: number[] = [];
  const newest = new Newest<Attempt>(filter.limit);
  const open = new Map<string, Attempt>();
  const isListed = ({ receipt, outcome }: Attempt) =>
    filter.violations !== true || receipt.violation !== undefined || outcome?.violation !== undefined;
  for (const { position, record } of objectsOf<Receipt>(file, damagedLines, onLine)) {
    const attempt = record.phase === 'post' ? open.get(record.receipt_of ?? '') : undefined;
    if (attempt) {
      const wasListed = isListed(attempt);
      attempt.outcome = record;
      open.delete(attempt.receipt.id);
      if (!wasListed && isListed(attempt)) newest.add(attempt);
      continue;
    }
    if (!isWanted(filter, record.intent_id, record.conversation_id, record.timestamp)) continue;
    const entry: Attempt = { position, receipt: record, outcome: null };
    if (record.phase === 'pre') open.set(record.id, entry);
    if (open.size > MAX_OPEN) open.delete(open.keys().next().value as string);
    if (isListed(entry)) newest.add(entry);
  }
  return { entries: newest.all().sort((a, b) => a.position - b.position), damagedLines };
}

/** Ledger records in the log's order. */
export function listTrace(file: string, filter: ListFilter, onLine?: OnLine): Listing<TraceEntry> {
  const damagedLines: number[] = [];
  const newest = new Newest<TraceEntry>(filter.limit);
  for (const entry of objectsOf<TraceRecord>(file, damagedLines, onLine)) {
    const { intent_id, session_id, timestamp } = entry.record;
    if (isWanted(filter, intent_id, session_id, timestamp)) newest.add(entry);
  }
  return { entries: newest.all(), damagedLines };
}

/** A log's verification, and what of it was acknowledged and is not there any more. */
export interface ChainCheck extends Verification {
  /** Records that state.db remembers and the log lacks: its end was cut off or it was written anew. */
  readonly lost: { readonly writer: string; readonly seq: number } | null;
}

/** The last record of each writer that was acknowledged. Read-only; nothing when there is no usable state.db. */
function acknowledged(layout: Layout, name: LogName): ReadonlyMap<string, ChainHead> {
  if (!exists(layout.state)) return new Map();
  try {
    const storage = openStorageToLook(layout, 2_000);
    try {
      return storage?.tables.heads(name) ?? new Map();
    } finally {
      storage?.close();
    }
  } catch {
    return new Map();
  }
}

/**
 * Replays a log and holds it against what was acknowledged, so that a cut at a line's end is found too (R-102, H-77).
 * The heads are read first: whatever is appended meanwhile comes after them.
 */
export function checkChain(
  layout: Layout,
  name: LogName,
  onLine?: OnLine,
  visit?: Replay['visit'],
): ChainCheck {
  const missing = new Map(acknowledged(layout, name));
  const onLink = ({ writer, seq, hash }: CheckedLink, { number }: LinePlace) => {
    const head = missing.get(writer);
    if (head?.seq === seq && head.hash === hash) missing.delete(writer);
    if (number % 1_000 === 0) onLine?.(number);
  };
  const found = verifyLog(layout[name], name, { onLink, ...(visit ? { visit } : {}) });
  const [lost] = found.bad ? [] : [...missing];
  return { ...found, lost: lost ? { writer: lost[0], seq: lost[1].seq } : null };
}
