import { holdsLocks, type Intent } from '../../core/intent.ts';
import type { OwnerRow, Reading } from '../../ledger/port.ts';
import type { Tx } from '../../ledger/store.ts';
import { type MapRow, writeMap } from '../../orchestration/intent-map.ts';
import type { RecordStep } from '../steps.ts';
import type { Workspace } from '../workspace.ts';

function toRow(owner: OwnerRow, intents: readonly Intent[]): MapRow {
  const intent = intents.find(({ id }) => id === owner.intentId);
  return { ...owner, locked: owner.contentHash !== '' && intent !== undefined && holdsLocks(intent.status) };
}

/** Every row of the map as the ledger has it. */
export function mapRows(tables: Reading, intents: readonly Intent[]): MapRow[] {
  return tables.owners().map((owner) => toRow(owner, intents));
}

/** Name of the note that tells our own map from one that somebody has touched. */
const MARK = 'map-mark';

function write(
  { layout }: Workspace,
  tables: Tx,
  intents: readonly Intent[],
  changed: readonly MapRow[] | null,
): void {
  tables.putNote(
    MARK,
    writeMap(layout, tables.note(MARK), () => mapRows(tables, intents), changed),
  );
}

/** Makes `intent_map.md` anew from the ledger's view (H-67). */
export function rebuildMap(workspace: Workspace, tables: Tx, intents: readonly Intent[]): void {
  write(workspace, tables, intents, null);
}

/** Renders the map again after the registry was edited: locks follow the status of their intents (H-66). */
export function refreshMap(workspace: Workspace, tables: Tx, intents: readonly Intent[]): void {
  try {
    if (tables.hasOwners()) rebuildMap(workspace, tables, intents);
  } catch {
    tables.putNote(MARK, '');
  }
}

/**
 * IntentMapHook: brings `intent_map.md` in step with what was just recorded (H-64, H-68). The map is a view: if it
 * cannot be written the record still stands, and the next mutation or `pactclaw provenance rebuild` makes it anew.
 */
export const updateMap: RecordStep = ({ workspace, tx: tables, intents, written }) => {
  const changed = written.flatMap(({ path }) => {
    const owner = path === null ? null : tables.owner(path);
    return owner ? [toRow(owner, intents)] : [];
  });
  if (changed.length === 0) return;
  try {
    // A move also takes a row away, which splicing cannot do.
    const moved = written.some((entry) => entry.from_path !== undefined);
    write(workspace, tables, intents, moved ? null : changed);
  } catch {
    tables.putNote(MARK, '');
  }
};
