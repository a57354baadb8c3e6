import { cpSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { type Layout, layoutOf } from '../../src/core/layout.ts';
import { Store } from '../../src/ledger/store.ts';
import { openDatabase } from '../../src/platform/sqlite.ts';

export { receiptDraft, traceDraft } from './ledger-drafts.ts';

export const LOGS = ['receipts', 'trace'] as const;

/** A folder of the test's own; the caller removes it. */
export function temporaryFolder(name: string): string {
  return realpathSync(mkdtempSync(`${tmpdir()}/pactclaw-${name}-`));
}

/** A workspace with an empty sidecar below `base`. */
export function newSidecar(base: string, name: string): Layout {
  const layout = layoutOf(`${base}/${name}`);
  mkdirSync(layout.sidecar, { recursive: true });
  writeFileSync(layout.receipts, '');
  writeFileSync(layout.trace, '');
  return layout;
}

/** A copy of a workspace under another name. */
export function copySidecar(from: Layout, base: string, name: string): Layout {
  const layout = layoutOf(`${base}/${name}`);
  rmSync(layout.root, { recursive: true, force: true });
  cpSync(from.root, layout.root, { recursive: true, preserveTimestamps: true });
  return layout;
}

/** Removes the database with everything SQLite keeps beside it. */
export function removeState(layout: Layout): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${layout.state}${suffix}`, { force: true });
}

export function openStore(layout: Layout, busyMs = 5_000): Store {
  return Store.open(layout, { busyMs });
}

/** Tables that are rebuilt from the logs, as rows that can be compared. */
export function viewOf(layout: Layout): Record<string, unknown[]> {
  const db = openDatabase(layout.state, { busyMs: 5_000, readonly: true });
  try {
    const rows = (sql: string) => db.prepare(sql).all();
    return {
      usage: rows('SELECT intent_id, turns, tokens FROM usage ORDER BY 1'),
      trip: rows('SELECT intent_id, reason, written FROM trip ORDER BY 1'),
      streak: rows('SELECT session_id, identity, count FROM streak ORDER BY 1'),
      owner: rows('SELECT * FROM owner ORDER BY path'),
      mutation: rows('SELECT intent_id, path, offset FROM mutation ORDER BY id'),
      head: rows('SELECT log, writer, seq, hash FROM head ORDER BY 1, 2'),
      lines: rows('SELECT name, size, lines FROM log ORDER BY name'),
    };
  } finally {
    db.close();
  }
}

export function quarantined(layout: Layout): boolean {
  return existsSync(layout.quarantine);
}
