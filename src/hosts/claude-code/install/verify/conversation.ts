import type { JsonObject } from '../../../../core/json.ts';
import type { RunResult } from '../../../../platform/run.ts';
import type { Registered } from '../guards.ts';
import { brief, type Capability, type Check, check } from './check.ts';
import { fire, payload, type Sandbox, verdictOf } from './sandbox.ts';

/** One conversation in the sandbox, told through the registered hooks. */
export class Conversation {
  readonly checks: Check[] = [];
  #calls = 0;

  constructor(
    readonly sandbox: Sandbox,
    readonly hooks: readonly Registered[],
  ) {}

  /** Fires an event that decides nothing, and checks that it is answered. */
  async tell(event: string, capability: Capability, rest: JsonObject): Promise<RunResult> {
    const result = await fire(this.sandbox, this.#hook(event), payload(this.sandbox, event, rest));
    const answered = result.code === 0 && result.stdout.startsWith('{');
    this.checks.push(
      check(capability, `${event} is answered`, answered, brief(answered ? 'answered' : result.stderr)),
    );
    return result;
  }

  /** Asks for a call and checks the answer. `expected` is how a refusal begins, or null for a call that may run. */
  async ask(
    capability: Capability,
    title: string,
    tool: string,
    input: JsonObject,
    expected: string | null,
  ): Promise<JsonObject> {
    this.#calls += 1;
    const call = { tool_name: tool, tool_input: input, tool_use_id: `toolu_verify_${this.#calls}` };
    const result = await fire(
      this.sandbox,
      this.#hook('PreToolUse'),
      payload(this.sandbox, 'PreToolUse', call),
    );
    const { verdict, text } = verdictOf(result);
    const good = expected === null ? verdict === 'runs' : verdict === 'denied' && text.startsWith(expected);
    this.checks.push(check(capability, title, good, brief(`${verdict}: ${text}`)));
    return call;
  }

  #hook(event: string): Registered {
    const hook = this.hooks.find((one) => one.event === event);
    if (!hook) throw new Error(`no hook is registered for ${event}`);
    return hook;
  }
}
