import type { Folding, Reading, Writing } from '../port.ts';
import type { Sql } from './sql.ts';

type Counters = Pick<Reading, 'usage' | 'usages' | 'trips' | 'repeats'> &
  Pick<Writing, 'markTrip'> &
  Pick<Folding, 'addUsage' | 'clearUsage' | 'setTrip' | 'clearTrip' | 'countRepeat' | 'endRepeats'>;

/** What is counted: use of intents, tripped breakers, identical calls in a row. */
export function counterTable(sql: Sql): Counters {
  return {
    usage: (intentId) =>
      sql.get('SELECT turns, tokens FROM usage WHERE intent_id = ?', intentId) ?? { turns: 0, tokens: 0 },
    usages: () => sql.all('SELECT intent_id AS intentId, turns, tokens FROM usage ORDER BY intent_id'),
    addUsage(intentId, turns, tokens) {
      sql.run(
        'INSERT INTO usage VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET turns = turns + excluded.turns, tokens = tokens + excluded.tokens',
        intentId,
        turns,
        tokens,
      );
    },
    clearUsage(intentId) {
      sql.run('DELETE FROM usage WHERE intent_id = ?', intentId);
    },
    trips: () =>
      sql
        .all<{ intentId: string; reason: string; written: number }>(
          'SELECT intent_id AS intentId, reason, written FROM trip ORDER BY intent_id',
        )
        .map((row) => ({ ...row, written: row.written === 1 })),
    setTrip(intentId, reason) {
      sql.run(
        'INSERT INTO trip VALUES (?, ?, 0) ON CONFLICT DO UPDATE SET reason = excluded.reason, written = 0',
        intentId,
        reason,
      );
    },
    markTrip(intentId, written) {
      sql.run('UPDATE trip SET written = ? WHERE intent_id = ?', written ? 1 : 0, intentId);
    },
    clearTrip(intentId) {
      sql.run('DELETE FROM trip WHERE intent_id = ?', intentId);
    },
    repeats: (row) => sql.get('SELECT identity, count FROM streak WHERE session_id = ?', row) ?? null,
    countRepeat(row, identity) {
      sql.run(
        'INSERT INTO streak VALUES (?, ?, 1) ON CONFLICT DO UPDATE SET count = iif(identity = excluded.identity, count + 1, 1), identity = excluded.identity',
        row,
        identity,
      );
    },
    endRepeats(row) {
      sql.run('DELETE FROM streak WHERE session_id = ?', row);
    },
  };
}
