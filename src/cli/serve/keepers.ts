import { messageOf } from '../../core/errors.ts';
import { workspaceAt } from '../../hooks/workspace.ts';
import { logEvent } from '../operator-log.ts';

type Keeper = { close(): Promise<void> } | null;

/**
 * Watches the wiring of every workspace whose events come to the resident engine, from the first event on until the
 * engine ends (F-3): it outlives the client's own servers, which a script may end first.
 */
export class Keepers {
  readonly #running = new Map<string, Promise<Keeper>>();
  readonly #install: string;

  constructor(install: string) {
    this.#install = install;
  }

  /** Takes note of an event of a workspace. Never throws; resolves once the workspace is watched, if it can be. */
  async keep(root: string): Promise<void> {
    const running = this.#running.get(root) ?? this.#begin(root);
    this.#running.set(root, running);
    await running;
  }

  async #begin(root: string): Promise<Keeper> {
    try {
      const { keepWiring } = await import('../wiring/keeper.ts');
      return await keepWiring(workspaceAt(root, this.#install));
    } catch (error) {
      logEvent('error', 'wiring_not_kept', { reason: messageOf(error) });
      return null;
    }
  }

  async close(): Promise<void> {
    for (const keeper of await Promise.all(this.#running.values())) await keeper?.close();
  }
}
