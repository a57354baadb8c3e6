import type { ReceiptDraft } from '../../core/receipt.ts';
import { Store } from '../../ledger/store.ts';
import { replaceFile } from '../../platform/durable-files.ts';
import { readIfThere } from '../../platform/files.ts';
import { imageOf } from '../command/vault.ts';
import type { Workspace } from '../workspace.ts';

/** What is to be written, and the receipt that tells of it. */
export interface GoverningChange {
  readonly content: string;
  readonly receipt: ReceiptDraft;
}

/**
 * Changes a governing file that PactClaw keeps itself, under the workspace's lock. Commands in flight are told, so that
 * none of them is held to have made the change. `change` gets the bytes as they are, and null means: leave it. Throws
 * when the state cannot be used, and then nothing is written.
 */
export function changeGoverningFile(
  workspace: Workspace,
  file: string,
  change: (now: Buffer | null) => GoverningChange | null,
): void {
  using store = Store.open(workspace.layout, workspace);
  store.transact((tx) => {
    const wanted = change(readIfThere(file));
    if (!wanted) return;
    replaceFile(file, wanted.content, { durable: true });
    tx.receipt(wanted.receipt);
    const image = imageOf(file);
    for (const call of tx.callsInFlight()) tx.putPreimage(call.sessionId, call.callId, image);
  });
}
