import type { Intent } from '../../core/intent.ts';
import { mapRows } from '../../hooks/map.ts';
import type { Workspace } from '../../hooks/workspace.ts';
import type { Finding } from '../../ledger/fsck.ts';
import type { StateTables } from '../../ledger/state-tables.ts';
import { renderMap } from '../../orchestration/intent-map.ts';
import { readIfThere } from '../../platform/files.ts';

const LOCK = / \| LOCKED \| (?=[^|]*\|[^|]*\|)/g;

/** Whether `intent_map.md` is what the ledger says (H-67). */
export function checkMap(workspace: Workspace, tables: StateTables, intents: readonly Intent[]): Finding[] {
  const file = workspace.layout.map;
  const text = readIfThere(file)?.toString('utf8') ?? null;
  const wanted = renderMap(mapRows(tables, intents));
  if (text === wanted) return [];
  const say = (level: Finding['level'], message: string): Finding[] => [
    { level, part: 'map', message, file, line: null },
  ];
  if (text === null) return say('error', 'the intent map is missing');
  // A lock follows the status of its intent, which a human may have edited since the last mutation.
  const bare = (map: string) => map.replace(LOCK, ' |  | ');
  if (bare(text) === bare(wanted))
    return say('note', 'locks in the map are from before active_intents.yaml was last edited');
  return say('error', 'the intent map is not what the ledger says');
}
