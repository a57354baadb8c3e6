import fs from 'node:fs';
import { messageOf } from '../../src/core/errors.ts';
import { layoutOf } from '../../src/core/layout.ts';
import { Store } from '../../src/ledger/store.ts';
import { receiptDraft, traceDraft } from '../support/ledger-drafts.ts';

/**
 * A process of its own that appends and acknowledges: `RECEIPT_HASH ENTRY_HASH` on standard output after each
 * transaction that returned. A failure is told as `! MESSAGE`. Arguments: root, how many, tries after a failure.
 */
const [root = '', count = '0', tries = '0'] = process.argv.slice(2);
const layout = layoutOf(root);
let left = Number(tries);

function say(line: string): void {
  fs.writeSync(1, `${line}\n`);
}

say('ready');
for (let done = 0; done < Number(count); ) {
  try {
    using store = Store.open(layout, { busyMs: 30_000 });
    for (let n = 0; n < 5 && done < Number(count); n += 1) {
      const [receipt, record] = store.transact((tx) => [
        tx.receipt(receiptDraft(done, { usage: { intent_id: 'INT-001', turns: 1, tokens: 10 } })),
        tx.trace(traceDraft(done)),
      ]);
      say(`${receipt.receipt_hash} ${record.entry_hash}`);
      done += 1;
    }
  } catch (error) {
    say(`! ${messageOf(error)}`);
    left -= 1;
    if (left < 0) process.exit(3);
  }
}
