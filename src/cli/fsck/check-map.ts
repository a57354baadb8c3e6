import { mapRows } from '../../hooks/outcome/map.ts';
import type { Workspace } from '../../hooks/workspace.ts';
import type { Finding } from '../../ledger/fsck.ts';
import { openStorageToLook } from '../../ledger/sqlite/storage.ts';
import { renderMap } from '../../orchestration/intent-map.ts';
import { parseIntents } from '../../orchestration/parse-intents.ts';
import { readRegistryBytes, trustedIntents } from '../../orchestration/registry.ts';
import { readIfThere } from '../../platform/files.ts';

const ATTEMPTS = 5;
const LOCK = / \| LOCKED \| (?=[^|]*\|[^|]*\|)/g;

/**
 * Whether `intent_map.md` is what the ledger says (H-67). Reads only; throws a StateError when the registry is broken.
 * To be asked once state.db is known to agree with the logs.
 */
export function checkMap(workspace: Workspace): Finding[] {
  // The map is written just before the transaction that it shows is committed.
  for (let attempt = 1; ; attempt += 1) {
    const findings = compareMap(workspace);
    if (attempt === ATTEMPTS || findings.every(({ level }) => level === 'note')) return findings;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
  }
}

function compareMap({ layout }: Workspace): Finding[] {
  const intents = trustedIntents(parseIntents(readRegistryBytes(layout)), layout);
  const storage = openStorageToLook(layout, 5_000);
  try {
    const text = readIfThere(layout.map)?.toString('utf8') ?? null;
    const wanted = renderMap(storage ? mapRows(storage.tables, intents) : []);
    const say = (level: Finding['level'], message: string): Finding[] =>
      text === wanted ? [] : [{ level, part: 'map', message, file: layout.map, line: null }];
    if (text === null) return say('error', 'the intent map is missing');
    // A lock follows the status of its intent, which a human may have edited since the last mutation.
    const bare = (map: string) => map.replace(LOCK, ' |  | ');
    return bare(text) === bare(wanted)
      ? say('note', 'locks in the map are from before active_intents.yaml was last edited')
      : say('error', 'the intent map is not what the ledger says');
  } finally {
    storage?.close();
  }
}
