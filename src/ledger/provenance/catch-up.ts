import type { LedgerLine } from './ledger-line.ts';
import type { Position, ProvenanceIndex } from './port.ts';
import { PendingRows } from './rows.ts';

export interface CatchUpOptions {
  /** Called after each batch; says how far the index is. */
  readonly onProgress?: (progress: { readonly records: number; readonly offset: number }) => void;
  /** Rows collected and sorted before they are written: more is faster and takes more memory. */
  readonly batchRows?: number;
}

export interface CatchUpResult {
  /** Records indexed by this call. */
  readonly added: number;
  /** The ledger was not the one indexed before, so the index was begun anew. */
  readonly restarted: boolean;
}

const BATCH_ROWS = 600_000;
/** Times that another process may begin the index anew under us before we give up and leave it the work. */
const MAX_RESTARTS = 3;

/**
 * Brings the index up to date with the ledger (H-80..H-83). `readFrom(offset)` yields the ledger's lines from
 * the one that starts at `offset`.
 *
 * Safe to kill and safe in parallel: rows are keyed by ledger offset and written again without harm, and the
 * position moves only after the rows before it.
 */
export function catchUp(
  index: ProvenanceIndex,
  readFrom: (offset: number) => Iterable<LedgerLine>,
  options: CatchUpOptions = {},
): CatchUpResult {
  index.ensure();
  let restarted = false;
  for (let attempt = 0; attempt <= MAX_RESTARTS; attempt++) {
    let position = index.position();
    if (position.lastOffset >= 0 && !isSameLedger(position, readFrom)) {
      position = index.reset();
      restarted = true;
    }
    const added = indexFrom(index, position, readFrom(Math.max(0, position.lastOffset)), options);
    if (added !== undefined) return { added, restarted };
  }
  return { added: 0, restarted };
}

/** True if the line indexed last still stands where it stood. Any other ledger is not the one we indexed. */
function isSameLedger(position: Position, readFrom: (offset: number) => Iterable<LedgerLine>): boolean {
  try {
    for (const { record, offset } of readFrom(position.lastOffset)) {
      return offset === position.lastOffset && record.entry_hash === position.lastHash;
    }
  } catch {
    // A reader that fails in the middle of a foreign line fails again from the start if the fault is its own.
  }
  return false;
}

/** Indexes lines after the position; undefined when another process began the index anew meanwhile. */
function indexFrom(
  index: ProvenanceIndex,
  start: Position,
  lines: Iterable<LedgerLine>,
  options: CatchUpOptions,
): number | undefined {
  let position = start;
  let pending = new PendingRows();
  const flush = (): boolean => {
    if (!index.add(pending, position)) return false;
    pending = new PendingRows();
    options.onProgress?.({ records: position.records, offset: position.lastOffset });
    return true;
  };
  for (const line of lines) {
    if (line.offset <= start.lastOffset) continue;
    pending.add(line);
    position = {
      lastOffset: line.offset,
      lastHash: line.record.entry_hash,
      records: position.records + 1,
      generation: start.generation,
    };
    if (pending.size >= (options.batchRows ?? BATCH_ROWS) && !flush()) return undefined;
  }
  if (position !== start && !flush()) return undefined;
  return position.records - start.records;
}
