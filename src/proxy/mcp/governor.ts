import { messageOf } from '../../core/errors.ts';
import type { JsonValue } from '../../core/json.ts';
import type { ToolCall } from '../../core/tool-call.ts';
import { HANDSHAKE_TOOL } from '../../core/words.ts';
import { isWatched } from '../../hooks/call-detail.ts';
import type { HookEngine } from '../../hooks/engine.ts';
import type { EventOrigin, PreToolAnswer, PreToolRequest } from '../../hooks/requests.ts';
import { type Answer, CODES, failure, isFailure } from '../../mcp/message.ts';
import { after } from '../../platform/timers.ts';

/** How long the engine may take for one answer, in milliseconds; it bounds its own waits below that. */
const DEADLINE_MS = 90_000;

/** By what else the engine may know a call: another door may have judged the same one. */
export type Hints = Pick<PreToolRequest, 'outerCallId'>;
/** Runs what a call does; it was allowed. */
export type Perform = () => Promise<Answer>;
/**
 * Looks whether a call goes on after its answer; if so returns true, and calls `end` with the last answer once it has
 * ended.
 */
export type GoesOn = (answer: Answer, end: (last: Answer) => Promise<string | null>) => boolean;
/** Says a refusal in the words of the request that it answers. */
export type Refuse = (text: string) => Answer;

function failSafe(what: string): string {
  return `Fail-Safe Default: PactClaw could not judge this call: ${what}\nA human can find out more with \`pactclaw fsck\`.`;
}

/** What the engine said, or that it failed; a failure refuses. */
type Judgement = { readonly allowed: boolean; readonly text: string };

function judgementOf({ decision, text }: PreToolAnswer): Judgement {
  return { allowed: decision.verdict === 'allow', text: text ?? 'Refused.' };
}

/** The engine's word for one client connection. Every call that reaches a server passes {@link govern}. */
export class Governor {
  readonly #open = new Set<Promise<unknown>>();
  /** Calls that run now and may change something, each with the tools that ran beside it. */
  readonly #running = new Map<ToolCall, Set<string>>();

  constructor(
    private readonly engine: HookEngine,
    private readonly originOf: () => EventOrigin,
    /** Told after a refusal, an alarm or a handshake: the session may stand elsewhere now. */
    private readonly moved: () => Promise<void>,
    private readonly log: (text: string) => void,
  ) {}

  /** Begins the session and puts it into the Reasoning Intercept; returns what the agent is to be told. */
  async begin(): Promise<string> {
    const origin = this.originOf();
    const start = await this.engine.sessionStart(origin);
    const prompt = await this.engine.userPrompt(origin, false);
    const alarms = [start.alarm, prompt.alarm].filter((text) => text !== null);
    return [...new Set(alarms), start.context ?? ''].filter((text) => text !== '').join('\n\n');
  }

  async end(): Promise<void> {
    await this.engine.stop(this.originOf());
  }

  /** Resolves when every call that was begun has been reported as ended. */
  async idle(): Promise<void> {
    while (this.#open.size > 0) await Promise.allSettled(this.#open);
  }

  /**
   * One governed call: judged, run, reported. INVARIANT (what begins ends): once the engine has allowed a call, its
   * end is reported whatever happens to the server or to us; an outcome that is not known counts as failed.
   */
  govern(call: ToolCall, hints: Hints, refuse: Refuse, perform: Perform, goesOn?: GoesOn): Promise<Answer> {
    return this.#track(this.#govern(call, hints, refuse, perform, goesOn));
  }

  #track<T>(work: Promise<T>): Promise<T> {
    this.#open.add(work);
    const done = () => this.#open.delete(work);
    work.then(done, done);
    return work;
  }

  async #govern(
    call: ToolCall,
    hints: Hints,
    refuse: Refuse,
    perform: Perform,
    goesOn: GoesOn = () => false,
  ): Promise<Answer> {
    const judged = await this.#judge(call, hints);
    if (!judged.allowed) {
      await this.moved();
      return refuse(judged.text);
    }
    const beside = this.#begin(call);
    const answer = await perform().catch((error) => failure(CODES.internal, messageOf(error)));
    let begun: Promise<string | null> = Promise.resolve(null);
    const end = (last: Answer) => this.#track(begun.then(() => this.#end(call, hints, last, beside)));
    if (goesOn(answer, end)) {
      // What it changes is compared from now on at every event, and at its end. Other calls are compared at their end.
      if (isWatched(call)) begun = this.#track(this.#report(call, hints, answer, true));
      return this.#told(await begun, call, beside, answer, refuse);
    }
    if (changesNothing(call)) {
      const reported = this.#track(this.#report(call, hints, answer));
      void reported.then((alarm) => (alarm === null ? undefined : this.#late(alarm)));
      return answer;
    }
    return this.#told(await this.#report(call, hints, answer), call, beside, answer, refuse, true);
  }

  async #told(
    alarm: string | null,
    call: ToolCall,
    beside: ReadonlySet<string>,
    answer: Answer,
    refuse: Refuse,
    isOver = false,
  ): Promise<Answer> {
    if (isOver) this.#running.delete(call);
    if (alarm === null) return answer;
    await this.moved();
    return alarmed(oneOf(alarm, call, beside), answer, refuse);
  }

  /** Ends a call that went on after its answer. */
  async #end(
    call: ToolCall,
    hints: Hints,
    last: Answer,
    beside: ReadonlySet<string>,
  ): Promise<string | null> {
    const alarm = await this.#report(call, hints, last);
    this.#running.delete(call);
    if (alarm === null) return null;
    const told = oneOf(alarm, call, beside);
    await this.#late(told);
    return told;
  }

  /** Notes which calls run at the same time: who of them made a change cannot be told afterwards (F-26). */
  #begin(call: ToolCall): ReadonlySet<string> {
    const beside = new Set<string>();
    if (!call.mutating) return beside;
    for (const [other, besideIt] of this.#running) {
      beside.add(other.hostTool);
      besideIt.add(call.hostTool);
    }
    this.#running.set(call, beside);
    return beside;
  }

  /** An alarm that comes after its call was answered: whoever looks after the proxy hears of it, and the next call. */
  async #late(alarm: string): Promise<void> {
    this.log(alarm);
    await this.moved();
  }

  #judge(call: ToolCall, hints: Hints): Promise<Judgement> {
    const asked = this.engine.preToolUse({ ...this.originOf(), call, ...hints });
    return new Promise((resolve) => {
      let late = false;
      const timer = after(DEADLINE_MS, () => {
        late = true;
        resolve({ allowed: false, text: failSafe(`no decision within ${DEADLINE_MS} ms`) });
      });
      asked.then(
        (answer) => {
          timer.cancel();
          const judgement = judgementOf(answer);
          resolve(judgement);
          // The client was told no meanwhile, so the call that was allowed too late ends here.
          if (late && judgement.allowed) void this.#report(call, hints, failure(CODES.internal, 'never run'));
        },
        (error) => {
          timer.cancel();
          resolve({ allowed: false, text: failSafe(messageOf(error)) });
        },
      );
    });
  }

  async #report(call: ToolCall, hints: Hints, answer: Answer, stillRunning = false): Promise<string | null> {
    const result = ('error' in answer ? answer.error : answer.result) as JsonValue;
    try {
      const after = await this.engine.postToolUse({
        ...this.originOf(),
        ...hints,
        call,
        ok: !isFailure(answer),
        result,
        ...(stillRunning ? { stillRunning } : {}),
      });
      return after.alarm;
    } catch (error) {
      return failSafe(`how it ended could not be recorded: ${messageOf(error)}`);
    }
  }
}

/**
 * A call with nothing to undo, whose end lets nothing else happen: it is answered as soon as it has run, and its end
 * recorded right after. That it was allowed is on disk before it runs, as with every call.
 */
function changesNothing(call: ToolCall): boolean {
  return call.declared && !call.mutating && call.tool !== HANDSHAKE_TOOL;
}

/** Says which calls may have made the change, where several ran at once. */
function oneOf(alarm: string, { hostTool }: ToolCall, beside: ReadonlySet<string>): string {
  if (beside.size === 0) return alarm;
  const others = [...beside].map((name) => JSON.stringify(name)).join(', ');
  return `${alarm}\nOther calls ran at the same time. One of ${JSON.stringify(hostTool)}, ${others} made the change; which one cannot be told.`;
}

/** The alarm comes first; what the tool said stays readable, but never as a success. */
export function alarmed(alarm: string, answer: Answer, refuse: Refuse): Answer {
  const said = refuse(alarm);
  if ('error' in said || 'error' in answer) return said;
  const content = Array.isArray(answer.result.content) ? answer.result.content : [];
  const first = Array.isArray(said.result.content) ? said.result.content : [];
  return { result: { ...said.result, content: [...first, ...content] } };
}
