import type { Moment } from '../../adapter.ts';
import { brief, type Capability, type Check, check, skip } from './check.ts';
import { fire } from './sandbox.ts';
import type { HostVerifier, RegisteredHook, Sandbox, Trial, TriedCall } from './verifier.ts';

/** One conversation in the sandbox, told through the registered hooks. */
export class Conversation {
  readonly checks: Check[] = [];
  #calls = 0;

  constructor(
    readonly verifier: HostVerifier,
    readonly sandbox: Sandbox,
    readonly hooks: readonly RegisteredHook[],
  ) {}

  /** Fires an event that decides nothing, and checks that it is answered. A host without it is not asked. */
  async tell(moment: Moment, capability: Capability, call: TriedCall | null = null): Promise<void> {
    const event = this.#eventOf(moment, call);
    if (event === undefined) return;
    const result = await this.#fire(event, moment, call);
    const answered = result.code === 0 && result.stdout.startsWith('{');
    this.checks.push(
      check(capability, `${event} is answered`, answered, brief(answered ? 'answered' : result.stderr)),
    );
  }

  /**
   * Asks for a call and checks the answer. `expected` is how a refusal begins, or null for a call that may run.
   * Returns the call; null when the host has no such tool.
   */
  async ask(
    capability: Capability,
    title: string,
    trial: Trial,
    expected: string | null,
  ): Promise<TriedCall | null> {
    const tool = this.verifier.toolFor(trial);
    if (tool === null) {
      this.checks.push(skip(capability, title, 'the host has no such tool'));
      return null;
    }
    const call = { ...tool, trial, id: this.#nextId() };
    const result = await this.#fire(this.#eventOf('beforeTool', call) ?? '', 'beforeTool', call);
    const { verdict, text } = this.verifier.verdictOf(result);
    const good = expected === null ? verdict === 'runs' : verdict === 'denied' && text.startsWith(expected);
    this.checks.push(check(capability, title, good, brief(`${verdict}: ${text}`)));
    return call;
  }

  /** Sends the events of a call without asking before it. Null if the host has no such tool. */
  unasked(trial: Trial): TriedCall | null {
    const tool = this.verifier.toolFor(trial);
    return tool && { ...tool, trial, id: this.#nextId() };
  }

  #eventOf(moment: Moment, call: TriedCall | null): string | undefined {
    return this.verifier.eventFor?.(moment, call) ?? this.verifier.events[moment];
  }

  #nextId(): string {
    this.#calls += 1;
    return `toolu_verify_${this.#calls}`;
  }

  #fire(event: string, moment: Moment, call: TriedCall | null) {
    const hook = this.hooks.find((one) => one.event === event);
    if (!hook) throw new Error(`no hook is registered for ${event}`);
    return fire(this.verifier, this.sandbox, hook, this.verifier.payload(this.sandbox, moment, call));
  }
}
