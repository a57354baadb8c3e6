import { StateError } from '../../core/errors.ts';
import type { FailSafe } from '../../core/facts.ts';
import { limitsOf } from '../../hooks/attempt/gather.ts';
import { toFailSafe } from '../../hooks/fail-safe.ts';
import { effectiveIntents, loadSettings } from '../../hooks/settings/settings.ts';
import { type Workspace, workspaceAt } from '../../hooks/workspace.ts';
import { assertLogs, peek, type Tables } from '../../ledger/peek.ts';
import { isDirectory } from '../../platform/files.ts';
import type { IntentNow, SessionNow, Snapshot } from './snapshot.ts';

/** Sessions that are shown at most. */
const MAX_SESSIONS = 50;
const BUSY_MS = 250;

function sessionsOf(tables: Tables): SessionNow[] {
  return tables.sessions(MAX_SESSIONS).map((row) => ({
    id: row.id,
    state: row.state,
    intentId: row.intentId,
    host: row.host,
    model: row.model,
    haltReason: row.haltReason,
    updatedAt: row.updatedAt,
  }));
}

async function intentsOf(workspace: Workspace, tables: Tables): Promise<IntentNow[]> {
  const { intents, policy } = await loadSettings(workspace, tables);
  // A human has set these back: the next event opens a new budget window for them.
  const reset = new Set<string>();
  const counting = {
    trips: () => tables.trips(),
    receipt: (draft: { readonly intent_id?: string }) => reset.add(draft.intent_id ?? ''),
  };
  return effectiveIntents(counting, intents, 'pactclaw').map((intent) => {
    const { maxTurns, maxTokens } = limitsOf(intent, policy);
    const { turns, tokens } = reset.has(intent.id) ? { turns: 0, tokens: 0 } : tables.usage(intent.id);
    const reason = intent.status === 'BLOCKED' ? (intent.blockedReason ?? null) : null;
    return {
      id: intent.id,
      name: intent.name,
      status: intent.status,
      reason,
      turns,
      tokens,
      maxTurns,
      maxTokens,
    };
  });
}

/** Reads the state of a workspace without changing it. Untrusted state is reported as a fail-safe. */
export async function readSnapshot(root: string, install: string): Promise<Snapshot> {
  let sessions: readonly SessionNow[] = [];
  const inFailSafe = (failSafe: FailSafe): Snapshot => ({ failSafe, intents: [], sessions });
  try {
    const workspace = workspaceAt(root, install);
    const { layout } = workspace;
    if (!isDirectory(layout.sidecar))
      throw new StateError(
        'orchestration state missing',
        { file: layout.sidecar },
        'Restore the folder, or run `pactclaw init` in the workspace.',
      );
    const intents = await peek(layout, BUSY_MS, (tables) => {
      sessions = sessionsOf(tables);
      assertLogs(layout, tables);
      return intentsOf(workspace, tables);
    });
    return { failSafe: null, intents, sessions };
  } catch (error) {
    return inFailSafe(toFailSafe(error));
  }
}
