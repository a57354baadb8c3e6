import type { ChainHead } from '../../core/chain.ts';
import type { Folding, KnownLog, LogPositions, Reading } from '../port.ts';
import type { LogName } from '../verify.ts';
import type { Sql } from './sql.ts';

type Logs = LogPositions & Pick<Reading, 'logSize'> & Pick<Folding, 'forget'>;

const FOLDED: Readonly<Record<LogName, readonly string[]>> = {
  receipts: ['usage', 'trip', 'streak'],
  trace: ['mutation', 'owner'],
};

/** How far both logs were read. */
export function logTable(sql: Sql): Logs {
  const knownLog = (name: LogName): KnownLog | null =>
    sql.get('SELECT size, inode, changed_ns AS changedNs, lines FROM log WHERE name = ?', name) ?? null;
  return {
    knownLog,
    logSize(name) {
      const known = knownLog(name);
      return { lines: known?.lines ?? 0, bytes: known?.size ?? 0 };
    },
    putLog(name, { size, inode, changedNs, lines }) {
      sql.run('INSERT OR REPLACE INTO log VALUES (?, ?, ?, ?, ?)', name, size, inode, changedNs, lines);
    },
    heads(name) {
      const rows = sql.all<ChainHead & { writer: string }>(
        'SELECT writer, seq, hash FROM head WHERE log = ?',
        name,
      );
      return new Map(rows.map(({ writer, seq, hash }) => [writer, { seq, hash }]));
    },
    head: (name, writer) =>
      sql.get('SELECT seq, hash FROM head WHERE log = ? AND writer = ?', name, writer) ?? null,
    putHead(name, writer, { seq, hash }) {
      sql.run('INSERT OR REPLACE INTO head VALUES (?, ?, ?, ?)', name, writer, seq, hash);
    },
    forgetLogs() {
      sql.run('DELETE FROM log');
      sql.run('DELETE FROM head');
    },
    forget(name) {
      for (const table of FOLDED[name]) sql.run(`DELETE FROM ${table}`);
    },
  };
}
