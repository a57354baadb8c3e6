import type { Preimage } from '../../ledger/port.ts';
import type { Store } from '../../ledger/store.ts';
import type { FileChange, SnapshotEntry } from '../../security/snapshot.ts';
import { type CallDetail, type PutBack, readDetail, writeDetail } from '../call-detail.ts';
import type { PostToolRequest } from '../requests.ts';

/** Entries of a snapshot from what a call's detail keeps. */
export function entriesOf(detail: CallDetail): SnapshotEntry[] {
  return (detail.putBack ?? []).map((entry) => ({ ...entry, name: Buffer.from(entry.name, 'base64') }));
}

/**
 * Tells every other call in flight what is about to be put back. The snapshot of a command that began meanwhile may
 * hold the changes that are being undone, and its own undoing would bring them again. Done before the first file is
 * touched, so that no other command ends in between with the old word.
 */
export function tellOthers(
  store: Store,
  { sessionId, call }: PostToolRequest,
  { changes = [], images = [] }: { changes?: readonly FileChange[]; images?: readonly Preimage[] },
): void {
  const entries: PutBack[] = changes.map(({ path, raw, before, beforeMode }) => ({
    name: (raw ?? Buffer.from(path)).toString('base64'),
    mode: beforeMode,
    object: before,
  }));
  store.transact((tx) => {
    for (const other of tx.callsInFlight()) {
      if (other.sessionId === sessionId && other.callId === call.callId) continue;
      const detail = readDetail(other.detail);
      if (entries.length > 0) {
        const putBack = [...(detail.putBack ?? []), ...entries];
        tx.putCall(other.sessionId, other.callId, { ...other, detail: writeDetail({ ...detail, putBack }) });
      }
      for (const image of images) tx.putPreimage(other.sessionId, other.callId, image);
    }
  });
}
