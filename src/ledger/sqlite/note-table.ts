import type { Reading, Writing } from '../port.ts';
import type { Sql } from './sql.ts';

type Notes = Pick<Reading, 'compiled' | 'note'> & Pick<Writing, 'putCompiled' | 'putNote'>;

/** What was made of the human's files, and what one event leaves for another. */
export function noteTable(sql: Sql): Notes {
  const textOf = (row: { value: string } | undefined): string | null => row?.value ?? null;
  return {
    compiled: (file, digest) =>
      textOf(sql.get('SELECT value FROM compiled WHERE file = ? AND digest = ?', file, digest)),
    putCompiled(file, digest, value) {
      sql.run('INSERT OR REPLACE INTO compiled VALUES (?, ?, ?)', file, digest, value);
    },
    note: (key) => textOf(sql.get('SELECT value FROM note WHERE key = ?', key)),
    putNote(key, value) {
      sql.run('INSERT OR REPLACE INTO note VALUES (?, ?)', key, value);
    },
  };
}
