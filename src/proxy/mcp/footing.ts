import { isObject } from '../../core/json.ts';
import type { ProxyPorts } from './ports.ts';

/**
 * Whether a session may act, as its client is shown it. The engine decides each call; this is for the list of tools and
 * the notices of its change.
 */
export class Footing {
  #acting = false;
  #told = false;
  #looking: Promise<void> = Promise.resolve();

  constructor(
    private readonly sessionId: string,
    private readonly ports: Pick<ProxyPorts, 'engine' | 'own'>,
    /** Tells the client that its tools are others now; does nothing while there is nobody to tell. */
    private readonly tell: () => boolean,
  ) {}

  get isActing(): boolean {
    return this.#acting;
  }

  /** Looks where the session stands, and tells the client when its tools are others now. One look at a time. */
  look(): Promise<void> {
    this.#looking = this.#looking.then(async () => {
      this.#acting = await this.#mayAct();
      if (this.#acting !== this.#told && this.tell()) this.#told = this.#acting;
    });
    return this.#looking;
  }

  /** The registry has changed: what may be selected is other now, even where the session stands as before. */
  async intentsChanged(): Promise<void> {
    const before = this.#told;
    await this.look();
    if (this.#told === before) this.tell();
  }

  async #mayAct(): Promise<boolean> {
    try {
      const { state, intentId } = await this.ports.engine.standing(this.sessionId);
      if (state !== 'CONTEXTUALIZED_ACTION') return false;
      // The engine moves the session at its next call; the human's file tells already that it will.
      const { active_intents: intents } = await this.ports.own.list();
      return (
        Array.isArray(intents) &&
        intents.some((one) => isObject(one) && one.id === intentId && one.selectable === true)
      );
    } catch {
      return false;
    }
  }
}
