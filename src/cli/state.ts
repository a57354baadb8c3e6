import type { Policy } from '../config/policy.ts';
import { PactError } from '../core/errors.ts';
import type { Intent } from '../core/intent.ts';
import { effectiveIntents, loadSettings } from '../hooks/settings/settings.ts';
import type { Workspace } from '../hooks/workspace.ts';
import { Store } from '../ledger/store.ts';

/** A workspace's state as commands read it. */
export interface OpenState {
  readonly store: Store;
  /** As they count now: a trip that has not reached the file blocks here already. */
  readonly intents: readonly Intent[];
  readonly policy: Policy;
}

/** Opens the state, verified up to this moment, for the time of `work`. Throws what would put the engine in fail-safe. */
export async function withState<T>(
  workspace: Workspace,
  work: (state: OpenState) => T | Promise<T>,
): Promise<T> {
  using store = Store.open(workspace.layout, { busyMs: workspace.busyMs });
  const settings = await loadSettings(workspace, store);
  const intents = store.rehearse((tx) => effectiveIntents(tx, settings.intents, 'pactclaw'));
  return await work({ store, intents, policy: settings.policy });
}

/** The intent with an ID, or an error that names those that there are. */
export function intentOf(intents: readonly Intent[], id: string): Intent {
  const intent = intents.find((one) => one.id === id);
  if (intent) return intent;
  const known = intents.map((one) => one.id).join(', ');
  throw new PactError(
    'NOT_FOUND',
    `no intent ${id} in active_intents.yaml`,
    known === '' ? 'There are none yet: `pactclaw intent add`.' : `There are: ${known}.`,
  );
}
