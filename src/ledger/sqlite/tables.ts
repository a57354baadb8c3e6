import type { Tables } from '../port.ts';
import { callTable } from './call-table.ts';
import { counterTable } from './counter-table.ts';
import { logTable } from './log-table.ts';
import { noteTable } from './note-table.ts';
import { ownerTable } from './owner-table.ts';
import { sessionTable } from './session-table.ts';
import type { Sql } from './sql.ts';

/** All tables of a database, behind names of the domain. */
export function tablesOf(sql: Sql): Tables {
  return {
    ...sessionTable(sql),
    ...callTable(sql),
    ...counterTable(sql),
    ...ownerTable(sql),
    ...noteTable(sql),
    ...logTable(sql),
  };
}
