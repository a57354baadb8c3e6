import { Store } from '../ledger/store.ts';
import type { Workspace } from './workspace.ts';

/** The workspace's state for one event. A resident engine hands out the one it keeps open. */
export function openStore(workspace: Workspace): Store {
  return workspace.store?.() ?? Store.open(workspace.layout, workspace);
}
