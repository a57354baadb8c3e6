import { workspaceAt } from '../../src/hooks/workspace.ts';
import { Store } from '../../src/ledger/store.ts';
import { draftReceipt } from './ledger-text.ts';

/** One writer among many: says that it is ready, appends for as long as it is told, says how that went. */
const [root = '', install = '', index = '0'] = process.argv.slice(2);
const workspace = workspaceAt(root, install, { busyMs: 8_000, snapshotMs: 15_000 });
const store = Store.open(workspace.layout, workspace);
store.transact(() => undefined);

process.once('message', (message) => {
  const { ms } = message as { ms: number };
  const begun = performance.now();
  let count = 0;
  let failed = 0;
  let worstMs = 0;
  while (performance.now() - begun < ms) {
    const from = performance.now();
    try {
      store.transact((tx) => tx.receipt(draftReceipt(Number(index) * 1_000_000 + count)));
      count += 1;
    } catch {
      failed += 1;
    }
    worstMs = Math.max(worstMs, performance.now() - from);
  }
  store[Symbol.dispose]();
  process.send?.({ count, failed, worstMs });
});
process.send?.('ready');
