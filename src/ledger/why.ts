import type { TraceRecord } from '../core/trace-record.ts';
import { readSlice } from '../platform/files.ts';
import { readLines } from '../platform/read-lines.ts';
import { catchUp } from './provenance/catch-up.ts';
import { explain, type LineExplanation, type LineRange } from './provenance/explain.ts';
import type { LedgerLine } from './provenance/ledger-line.ts';
import type { Store } from './store.ts';

const CHUNK = 16_384;

/** The ledger's records from the line that starts at `offset`. Lines that are no records are passed over. */
export function* readTrace(file: string, offset: number): Generator<LedgerLine> {
  for (const line of readLines(file, offset)) {
    if (line.torn) return;
    let record: TraceRecord;
    try {
      record = JSON.parse(line.text) as TraceRecord;
    } catch {
      continue;
    }
    yield { record, offset: line.offset, end: line.end };
  }
}

/** The record whose line starts at `offset`; undefined when none does. */
export function readRecordAt(file: string, offset: number): TraceRecord | undefined {
  for (let length = CHUNK; ; length *= 4) {
    const bytes = readSlice(file, offset, length);
    const newline = bytes.indexOf(10);
    if (newline < 0 && bytes.length === length) continue;
    try {
      return JSON.parse(bytes.toString('utf8', 0, newline < 0 ? bytes.length : newline)) as TraceRecord;
    } catch {
      return undefined;
    }
  }
}

/** Brings the provenance index up to the ledger; calls `onProgress` now and then with the records indexed. */
export function refreshIndex(store: Store, onProgress?: (records: number) => void): void {
  catchUp(
    store.index,
    (offset) => readTrace(store.layout.trace, offset),
    onProgress ? { onProgress: ({ records }) => onProgress(records) } : {},
  );
}

/**
 * Why lines of a file exist (H-80, H-81, H-83): `path` is workspace-relative, `content` the file as it is now. The
 * index is brought up to date first, which costs time only for records it has not seen.
 */
export function whyLines(
  store: Store,
  target: { readonly path: string; readonly content: Uint8Array; readonly range?: LineRange },
  ports: {
    readonly readFile?: (path: string) => Uint8Array | null;
    readonly onProgress?: (records: number) => void;
  } = {},
): LineExplanation[] {
  refreshIndex(store, ports.onProgress);
  const read = (offset: number) => readRecordAt(store.layout.trace, offset);
  return explain(
    store.index,
    target.path,
    target.content,
    { readRecordAt: read, ...(ports.readFile ? { readFile: ports.readFile } : {}) },
    target.range,
  );
}
