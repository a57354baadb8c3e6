import type { Db } from '../platform/sqlite.ts';

/** What the logs alone determine, in an order that both sides can be read in. */
export const DERIVED: readonly (readonly [what: string, sql: string])[] = [
  ['use of intents', 'SELECT intent_id, turns, tokens FROM usage ORDER BY intent_id'],
  ['tripped breakers', 'SELECT intent_id, reason FROM trip ORDER BY intent_id'],
  ['runs of identical calls', 'SELECT session_id, identity, count FROM streak ORDER BY session_id'],
  ['mutations', 'SELECT offset, intent_id, path FROM mutation ORDER BY offset'],
  ['owners of files', 'SELECT * FROM owner ORDER BY path'],
  ['heads of chains', 'SELECT log, writer, seq, hash FROM head ORDER BY log, writer'],
];
const PATHS = 'JOIN prov_path p ON p.id =';
/** The provenance index, with paths spelled out: their numbers depend on the order of indexing. */
export const INDEX: readonly (readonly [what: string, sql: string])[] = [
  ['files', `SELECT p.path, f.record FROM prov_file f ${PATHS} f.path ORDER BY 1, 2`],
  [
    'moves',
    `SELECT p.path, q.path FROM prov_move m ${PATHS} m.path JOIN prov_path q ON q.id = m.former ORDER BY 1, 2`,
  ],
  ['hashes', 'SELECT hash, record FROM prov_hash ORDER BY 1, 2'],
  ['lines', `SELECT l.print, p.path, l.record FROM prov_line l ${PATHS} l.path ORDER BY 1, 2, 3`],
];

/** The first row in which two databases differ, as text; null when they agree. */
export function firstDifference(live: Db, made: Db, sql: string): string | null {
  const has = live.prepare(sql).raw().iterate();
  const wants = made.prepare(sql).raw().iterate();
  try {
    for (;;) {
      const [a, b] = [has.next(), wants.next()];
      if (a.done && b.done) return null;
      const [left, right] = [a, b].map((row) => (row.done ? 'nothing' : JSON.stringify(row.value)));
      if (left !== right) return `it has ${left}, the logs say ${right}`;
    }
  } finally {
    has.return?.();
    wants.return?.();
  }
}
