import type { Folding, OwnerRow, Reading } from '../port.ts';
import type { Sql } from './sql.ts';

type Owners = Pick<Reading, 'owner' | 'hasOwners' | 'owners' | 'latestMutations'> &
  Pick<Folding, 'addMutation' | 'putOwner' | 'dropOwner'>;

type RawOwner = Omit<OwnerRow, 'earlier'> & { readonly earlier: string };

const COLUMNS =
  'path, intent_id AS intentId, intent_name AS intentName, content_hash AS contentHash, changed_at AS changedAt, earlier';

function toOwner(row: RawOwner): OwnerRow {
  return { ...row, earlier: JSON.parse(row.earlier) as string[] };
}

/** Which intent holds which file, and where its mutations stand in the ledger. */
export function ownerTable(sql: Sql): Owners {
  return {
    owner(path) {
      const row = sql.get<RawOwner>(`SELECT ${COLUMNS} FROM owner WHERE path = ?`, path);
      return row ? toOwner(row) : null;
    },
    hasOwners: () => sql.get('SELECT 1 FROM owner LIMIT 1') !== undefined,
    owners: () => sql.all<RawOwner>(`SELECT ${COLUMNS} FROM owner ORDER BY path`).map(toOwner),
    putOwner({ path, intentId, intentName, contentHash, changedAt, earlier }) {
      sql.run(
        'INSERT OR REPLACE INTO owner VALUES (?, ?, ?, ?, ?, ?)',
        path,
        intentId,
        intentName,
        contentHash,
        changedAt,
        JSON.stringify(earlier),
      );
    },
    dropOwner(path) {
      sql.run('DELETE FROM owner WHERE path = ?', path);
    },
    latestMutations: (intentId, limit) =>
      sql
        .all<{ offset: number }>(
          'SELECT offset FROM mutation WHERE intent_id = ? ORDER BY id DESC LIMIT ?',
          intentId,
          limit,
        )
        .map(({ offset }) => offset),
    addMutation(intentId, path, offset) {
      sql.run('INSERT INTO mutation (intent_id, path, offset) VALUES (?, ?, ?)', intentId, path, offset);
    },
  };
}
