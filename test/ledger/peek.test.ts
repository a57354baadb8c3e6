import { rmSync, truncateSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { assertLogs, peek } from '../../src/ledger/peek.ts';
import { openDatabase } from '../../src/platform/sqlite.ts';
import { newSidecar, openStore, receiptDraft, removeState, temporaryFolder } from '../support/ledger.ts';

let base: string;
beforeEach(() => {
  base = temporaryFolder('peek');
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const look = (layout: ReturnType<typeof newSidecar>) =>
  peek(layout, 100, async (tables) => {
    assertLogs(layout, tables);
    return {
      usage: tables.usage('INT-001'),
      sessions: tables.sessions(5).length,
      lines: tables.logSize('receipts').lines,
    };
  });

describe('looking at the state', () => {
  test('shows what was committed, while a writer holds the lock', async () => {
    const layout = newSidecar(base, 'ws');
    using store = openStore(layout);
    store.transact((tx) =>
      tx.receipt({ ...receiptDraft(1), usage: { intent_id: 'INT-001', turns: 2, tokens: 30 } }),
    );
    const seen = store.transact((tx) => {
      tx.receipt(receiptDraft(2));
      return look(layout);
    });
    expect(await seen).toEqual({ usage: { turns: 2, tokens: 30 }, sessions: 0, lines: 1 });
  });

  test('a writer never waits for somebody who looks', async () => {
    const layout = newSidecar(base, 'ws');
    using store = openStore(layout, 0);
    store.transact((tx) => tx.receipt(receiptDraft(1)));
    const lines = await peek(layout, 100, async (tables) => {
      store.transact((tx) => tx.receipt(receiptDraft(2)));
      return tables.logSize('receipts').lines;
    });
    expect([lines, store.logSize('receipts').lines]).toEqual([1, 2]);
  });

  test('a missing or damaged state.db knows nothing, and is left as it is', async () => {
    const layout = newSidecar(base, 'ws');
    const nothing = { usage: { turns: 0, tokens: 0 }, sessions: 0, lines: 0 };
    expect(await look(layout)).toEqual(nothing);
    writeFileSync(layout.state, 'no database at all, but a text of some length');
    expect(await look(layout)).toEqual(nothing);
  });

  test('a newer state.db, a missing log and a shortened one are what the engine would refuse for', async () => {
    const layout = newSidecar(base, 'ws');
    openStore(layout)[Symbol.dispose]();
    const db = openDatabase(layout.state, { busyMs: 100 });
    db.pragma('user_version = 99');
    db.close();
    await expect(look(layout)).rejects.toThrow('newer PactClaw');
    removeState(layout);
    const store = openStore(layout);
    store.transact((tx) => tx.receipt(receiptDraft(1)));
    store.close();
    truncateSync(layout.receipts, 10);
    await expect(look(layout)).rejects.toThrow(/bytes at the end of the receipt log are missing/);
    rmSync(layout.trace);
    truncateSync(layout.receipts, 0);
    await expect(look(layout)).rejects.toThrow();
  });
});
