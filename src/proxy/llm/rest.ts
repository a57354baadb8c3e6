import { after, type Timer } from '../../platform/timers.ts';
import type { Judge } from './judge.ts';
import type { Governor } from './ports.ts';
import type { LlmSession } from './session.ts';

/** How long use of the model may wait for an event that carries it, in milliseconds. */
const WAIT_MS = 1_000;

/**
 * Sessions whose agent has answered with text alone. That ends its run, and its last response is still to be counted;
 * when the session goes on at once, its next event carries the count instead and one wait for the disk is spared.
 */
export class RestingSessions {
  readonly #waiting = new Map<LlmSession, Timer>();

  constructor(
    private readonly governor: Governor,
    private readonly judge: Judge,
  ) {}

  /** The session has come to rest. */
  add(session: LlmSession): void {
    session.atRest = true;
    if (this.#waiting.has(session)) return;
    this.#waiting.set(
      session,
      after(WAIT_MS, () => void this.#end(session)),
    );
  }

  async #end(session: LlmSession): Promise<void> {
    this.#waiting.get(session)?.cancel();
    this.#waiting.delete(session);
    if (!session.atRest) return;
    session.atRest = false;
    const usage = session.settle(null);
    try {
      await this.governor.stop(this.judge.origin(session, usage));
    } catch {
      session.owe(usage);
    }
  }

  /** Tells the engine of all of them now: the proxy is about to end. */
  async flush(): Promise<void> {
    for (const session of [...this.#waiting.keys()]) await this.#end(session);
  }
}
