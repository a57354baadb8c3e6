import { digestOf } from '../../core/digest.ts';
import { messageOf, PactError } from '../../core/errors.ts';
import type { JsonObject } from '../../core/json.ts';
import { STATE_VIOLATION } from '../../core/rules/state.ts';
import type { ToolCall } from '../../core/tool-call.ts';
import { HANDSHAKE_TOOL } from '../../core/words.ts';
import type { EventOrigin, PreToolAnswer, ReportedUsage } from '../../hooks/requests.ts';
import type { AskedCall } from '../../models/shapes.ts';
import type { Decoder, Governor, LlmSettings } from './ports.ts';
import type { LlmSession } from './session.ts';
import type { Verdict } from './wire.ts';

/** What a hidden call was answered. */
export interface HiddenAnswer {
  readonly text: string;
  readonly ok: boolean;
}

/** How a round's calls came out. */
export type Judgement =
  | { readonly kind: 'visible'; readonly verdicts: readonly Verdict[] }
  /** The model asked for the handshake: every call is answered here and the model goes on. */
  | { readonly kind: 'hidden'; readonly answers: readonly HiddenAnswer[]; readonly over: string | null };

/** A failure of ours as a refusal: doubt never lets a call through. */
export function failureText(error: unknown): string {
  const remedy =
    error instanceof PactError ? error.remedy : 'A human can find out more with `pactclaw fsck`.';
  return `Fail-Safe Default: PactClaw could not judge this call: ${messageOf(error)}\n${remedy}`;
}

/** The handshake as a call of this door. */
function handshakeCall(call: AskedCall, sessionId: string, cwd: string): ToolCall {
  const args = call.args ?? {};
  return {
    callId: call.id.slice(0, 256).toWellFormed(),
    sessionId,
    tool: HANDSHAKE_TOOL,
    hostTool: HANDSHAKE_TOOL,
    kind: 'control',
    mutating: false,
    declared: true,
    targets: [],
    args,
    identity: digestOf({ tool: HANDSHAKE_TOOL, args: { intent_id: String(args.intent_id).toWellFormed() } }),
    cwd,
  };
}

/** Most values in the arguments of one call. Each is looked at several times while everybody else waits. */
const MAX_VALUES = 50_000;

/** Values in a value, itself among them; counted no further than `most`. */
function valuesIn(value: unknown, most: number): number {
  if (typeof value !== 'object' || value === null) return 1;
  let count = 1;
  for (const one of Object.values(value)) {
    if (count > most) break;
    count += valuesIn(one, most - count);
  }
  return count;
}

/** Judges the calls of one response through the engine; decides nothing itself. */
export class Judge {
  constructor(
    private readonly governor: Governor,
    private readonly decode: Decoder,
    private readonly settings: LlmSettings,
  ) {}

  origin(session: LlmSession, usage: ReportedUsage): EventOrigin {
    return { sessionId: session.id, host: this.settings.host, transcript: null, door: 'llm', usage };
  }

  /** A client's call as the engine sees it. Throws what the decoder throws, and on a call that cannot be read. */
  toolCall(call: AskedCall, sessionId: string): ToolCall {
    if (call.fault !== null || call.args === null)
      throw new PactError(
        'INVALID_INPUT',
        `the call of ${call.name.slice(0, 80) || 'a tool'} cannot be read: ${call.fault ?? 'it has no arguments'}`,
        'Make the call again, its arguments one complete JSON object.',
      );
    if (valuesIn(call.args, MAX_VALUES) > MAX_VALUES)
      throw new PactError(
        'INVALID_INPUT',
        `the arguments of ${call.name.slice(0, 80)} have more than ${MAX_VALUES} values`,
        'Make several calls with fewer arguments each.',
      );
    if (call.id === '' || call.id.length > 256 || !call.id.isWellFormed())
      throw new PactError('INVALID_INPUT', 'the call has no usable id', 'Make the call again.');
    return this.decode({
      id: call.id,
      name: call.name,
      args: call.args,
      sessionId,
      cwd: this.settings.cwd,
    });
  }

  #pre(session: LlmSession, call: ToolCall, usage: ReportedUsage): Promise<PreToolAnswer> {
    return this.governor.preToolUse({ ...this.origin(session, usage), call });
  }

  /** `usage` is that of the response which makes the calls: it counts before the first of them is judged. */
  async judge(session: LlmSession, calls: readonly AskedCall[], usage: ReportedUsage): Promise<Judgement> {
    const handshake = calls.find(({ name }) => name === HANDSHAKE_TOOL);
    if (handshake) return this.#hidden(session, calls, handshake, usage);
    const verdicts: Verdict[] = [];
    const ids = new Set<string>();
    for (const call of calls) {
      verdicts.push(
        ids.has(call.id)
          ? twice(call)
          : await this.#visible(session, call, session.settle(verdicts.length === 0 ? usage : null)),
      );
      ids.add(call.id);
    }
    return { kind: 'visible', verdicts };
  }

  async #visible(session: LlmSession, asked: AskedCall, usage: ReportedUsage): Promise<Verdict> {
    let call: ToolCall;
    try {
      call = this.toolCall(asked, session.id);
    } catch (error) {
      session.owe(usage);
      return { allowed: false, text: failureText(error) };
    }
    try {
      const { decision, text } = await this.#pre(session, call, usage);
      const early = decision.verdict === 'deny' && decision.refusal?.sentence === STATE_VIOLATION;
      if (decision.verdict !== 'allow') return { allowed: false, text: text ?? 'Refused.', early };
      session.released(call);
      return { allowed: true };
    } catch (error) {
      return { allowed: false, text: failureText(error) };
    }
  }

  /**
   * The handshake, and whatever was asked for beside it. Those calls were made without knowing what the handshake
   * would say; they are judged while it is under way, when the state refuses them.
   */
  async #hidden(
    session: LlmSession,
    calls: readonly AskedCall[],
    handshake: AskedCall,
    usage: ReportedUsage,
  ): Promise<Judgement> {
    // The handshake alone is free once a request; with calls beside it the response is a turn like any other (C-100).
    const alone: ReportedUsage = { turns: 0, tokens: 0, model: usage.model, handshakes: [usage.tokens] };
    const cost = session.settle(calls.length === 1 ? alone : usage);
    const own = handshakeCall(handshake, session.id, this.settings.cwd);
    let answer: HiddenAnswer;
    let over: string | null = null;
    let began = false;
    try {
      const { decision, text } = await this.#pre(session, own, cost);
      began = decision.verdict === 'allow';
      answer = { ok: false, text: text ?? 'Refused.' };
      const kind = decision.refusal?.kind;
      if (decision.verdict === 'halt' || kind === 'fail_safe' || kind === 'estop') over = answer.text;
    } catch (error) {
      answer = { ok: false, text: failureText(error) };
      over = answer.text;
    }
    const others = new Map<AskedCall, HiddenAnswer>();
    for (const call of calls) if (call !== handshake) others.set(call, await this.#beside(session, call));
    if (began) answer = await this.#answer(session, own);
    return {
      kind: 'hidden',
      answers: calls.map((call) => (call === handshake ? answer : (others.get(call) ?? answer))),
      over,
    };
  }

  async #beside(session: LlmSession, asked: AskedCall): Promise<HiddenAnswer> {
    const late = {
      ok: false,
      text: 'Refused: only one call of the handshake at a time; read its answer first.',
    };
    if (asked.name === HANDSHAKE_TOOL) return late;
    const verdict = await this.#visible(session, asked, session.settle(null));
    if (!verdict.allowed) return { ok: false, text: verdict.text };
    // The engine let it through, but the client will never see it: it ends here, not run.
    await this.#withdraw(session, asked.id);
    return { ok: false, text: 'Not run: it was asked for together with the handshake. Ask for it again.' };
  }

  async #withdraw(session: LlmSession, id: string): Promise<void> {
    const call = session.pending.get(id);
    session.pending.delete(id);
    if (!call) return;
    const origin = this.origin(session, { turns: 0, tokens: 0, model: null });
    await this.governor.postToolUse({ ...origin, call, ok: false, result: null });
  }

  async #answer(session: LlmSession, call: ToolCall): Promise<HiddenAnswer> {
    let ok = true;
    let result: JsonObject;
    try {
      result = await this.governor.handshake(String(call.args.intent_id ?? call.args.id));
    } catch (error) {
      ok = false;
      const remedy = error instanceof PactError ? `\n${error.remedy}` : '';
      result = { error: `${messageOf(error)}${remedy}` };
    }
    try {
      const none = { turns: 0, tokens: 0, model: null };
      const { alarm } = await this.governor.postToolUse({ ...this.origin(session, none), call, ok, result });
      if (alarm !== null) return { ok: false, text: alarm };
    } catch (error) {
      return { ok: false, text: failureText(error) };
    }
    return { ok, text: JSON.stringify(result, null, 2) };
  }
}

function twice(call: AskedCall): Verdict {
  return {
    allowed: false,
    text: `Refused: two calls of one answer have the id ${call.id.slice(0, 80)}, so that their results could not be told apart.\nMake the call again.`,
  };
}
