import type { DerivedPart } from '../port.ts';

/** What the logs alone determine, in an order that both sides can be read in. */
const STATE: readonly (readonly [what: string, sql: string])[] = [
  ['use of intents', 'SELECT intent_id, turns, tokens FROM usage ORDER BY intent_id'],
  ['tripped breakers', 'SELECT intent_id, reason FROM trip ORDER BY intent_id'],
  ['runs of identical calls', 'SELECT session_id, identity, count FROM streak ORDER BY session_id'],
  ['mutations', 'SELECT offset, intent_id, path FROM mutation ORDER BY offset'],
  ['owners of files', 'SELECT * FROM owner ORDER BY path'],
  ['heads of chains', 'SELECT log, writer, seq, hash FROM head ORDER BY log, writer'],
];
const PATHS = 'JOIN prov_path p ON p.id =';
/** The provenance index, with paths spelled out: their numbers depend on the order of indexing. */
const INDEX: readonly (readonly [what: string, sql: string])[] = [
  ['files', `SELECT p.path, f.record FROM prov_file f ${PATHS} f.path ORDER BY 1, 2`],
  [
    'moves',
    `SELECT p.path, q.path FROM prov_move m ${PATHS} m.path JOIN prov_path q ON q.id = m.former ORDER BY 1, 2`,
  ],
  ['hashes', 'SELECT hash, record FROM prov_hash ORDER BY 1, 2'],
  ['lines', `SELECT l.print, p.path, l.record FROM prov_line l ${PATHS} l.path ORDER BY 1, 2, 3`],
];

export const DERIVED: Readonly<Record<DerivedPart, typeof STATE>> = { state: STATE, index: INDEX };
