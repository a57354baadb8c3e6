import { messageOf } from '../../core/errors.ts';
import type { JsonObject } from '../../core/json.ts';
import type { ToolCall } from '../../core/tool-call.ts';
import { HANDSHAKE_TOOL } from '../../core/words.ts';
import type { ReportedUsage } from '../../hooks/requests.ts';
import { compact, contextOf } from './compact.ts';
import { estimateUse } from './estimate.ts';
import { forwarded } from './headers.ts';
import { failureText, type Judge } from './judge.ts';
import type { ClientReply, Governor, LlmSettings, Upstream, UpstreamReply } from './ports.ts';
import type { RestingSessions } from './rest.ts';
import { headerOf, type LlmSession } from './session.ts';
import type { Answer, AskedCall, Plan, Protocol, RequestView, RoundEnd, Verdict } from './wire.ts';

/** Responses that one answer may be made of: the handshake and what it takes to get it right. */
const MAX_ROUNDS = 8;
/** Longest answer in one piece, in bytes. */
const MAX_BODY = 64 << 20;

/** What every turn works with. */
export interface TurnParts {
  readonly governor: Governor;
  readonly judge: Judge;
  readonly upstream: Upstream;
  readonly settings: LlmSettings;
  readonly resting: RestingSessions;
}

/** One request of a client, read. */
export interface TurnRequest {
  readonly protocol: Protocol;
  readonly view: RequestView;
  readonly body: JsonObject;
  /** The body as it came, for requests that go on unchanged. */
  readonly bytes: Uint8Array;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
}

function isStream(reply: UpstreamReply): boolean {
  return /^text\/event-stream/i.test(headerOf(reply.headers, 'content-type') ?? '');
}

function refuseAll(calls: readonly AskedCall[], text: string): Verdict[] {
  return calls.map(() => ({ allowed: false, text }));
}

/** One turn of a session: events before the model is asked, the model's answer, judged on its way back. */
export class Turn {
  #answer: Answer | null = null;
  #headSent = false;
  readonly #appended: JsonObject[] = [];

  constructor(
    private readonly parts: TurnParts,
    private readonly session: LlmSession,
    private readonly request: TurnRequest,
    private readonly client: ClientReply,
  ) {}

  /** Results that came back, and the user's new request, told to the engine. Returns what the agent must hear of. */
  async #events(): Promise<string[]> {
    const { session, request, parts } = this;
    const { view } = request;
    const none: ReportedUsage = { turns: 0, tokens: 0, model: null };
    const alarms: string[] = [];
    const tell = async (work: () => Promise<{ alarm: string | null }>) => {
      try {
        const { alarm } = await work();
        if (alarm !== null) alarms.push(alarm);
      } catch (error) {
        alarms.push(failureText(error));
      }
    };
    for (const { id, ok, result, call } of view.results) {
      const isNew = session.firstSeen(id);
      const pending = session.pending.get(id) ?? (isNew ? this.#fromHistory(id, call) : null);
      session.pending.delete(id);
      if (pending)
        await tell(() =>
          parts.governor.postToolUse({ ...parts.judge.origin(session, none), call: pending, ok, result }),
        );
    }
    if (view.offersTools && session.beginsTurn(view)) {
      session.pending.clear();
      await tell(() => parts.governor.userPrompt(parts.judge.origin(session, session.settle(null)), true));
    }
    return alarms;
  }

  /** A call that was given out before this process began: the history still has it. Told once. */
  #fromHistory(id: string, call: { name: string; args: JsonObject | null } | null): ToolCall | null {
    if (!call) return null;
    try {
      return this.parts.judge.toolCall({ id, ...call, fault: null }, this.session.id);
    } catch {
      return null;
    }
  }

  async #plan(alarms: readonly string[]): Promise<Plan> {
    const { parts, session, request } = this;
    const common = {
      providerRuns: parts.settings.providerRuns,
      exchanges: session.hidden.all,
      appended: this.#appended,
      continued: session.continuedBy(request.view),
    };
    if (!request.view.offersTools) return { ...common, phase: 'untouched', part: '' };
    const loud = alarms.map((alarm) => `# Governance alarm\n\n${alarm}`);
    try {
      const { state, context } = await parts.governor.standing(session.id);
      const phase = state === 'CONTEXTUALIZED_ACTION' ? 'action' : 'intercept';
      return { ...common, phase, part: [...loud, context].join('\n\n') };
    } catch (error) {
      return { ...common, phase: 'intercept', part: [...loud, failureText(error)].join('\n\n') };
    }
  }

  /** The request, shortened when it nears the model's context; the engine is told when more had to go (H-96). */
  async #withinContext(): Promise<JsonObject> {
    const { request, session, parts } = this;
    const { contextTokens, compactAt } = parts.settings;
    const beta = headerOf(request.headers, 'anthropic-beta') ?? '';
    const tokens = contextTokens ?? contextOf(request.view.model, beta);
    if (tokens === null || !request.view.offersTools) return request.body;
    const limit = { tokens, share: compactAt };
    const shorter = compact(request.body, request.bytes.length, limit, request.protocol.mapResults);
    if (!shorter) return request.body;
    if (shorter.left !== session.leftOut) {
      session.leftOut = shorter.left;
      const note = `${shorter.left} old results left out: about ${shorter.beforeTokens} tokens before, ${shorter.afterTokens} after`;
      try {
        await parts.governor.beforeCompact(parts.judge.origin(session, session.settle(null)), note);
      } catch {
        // The request is shorter whether or not that could be recorded; no tool depends on it.
      }
    }
    return shorter.body;
  }

  /** Serves the request. Throws what goes wrong before anything was sent; later failures are told in the stream. */
  async serve(): Promise<void> {
    if (this.request.view.offersTools) this.session.atRest = false;
    const alarms = await this.#events();
    const body = await this.#withinContext();
    for (let round = 1; ; round += 1) {
      const plan = await this.#plan(round === 1 ? alarms : []);
      const { protocol, bytes, path, headers } = this.request;
      const edited = protocol.edit(body, plan);
      const sent = edited === this.request.body ? bytes : JSON.stringify(edited);
      let reply: UpstreamReply;
      try {
        reply = await this.parts.upstream({ method: 'POST', path, headers, body: sent }, this.client.signal);
      } catch (error) {
        if (!this.#headSent) throw error;
        return this.#break(messageOf(error));
      }
      if (reply.status < 200 || reply.status > 299) return this.#passError(reply);
      const end = await this.#receive(reply, sent);
      if (!end) return;
      if (await this.#settle(end, sent, round)) return;
    }
  }

  /** Reads one response to its end. Null when it was cut, which the client has been shown. */
  async #receive(reply: UpstreamReply, sent: Uint8Array | string): Promise<RoundEnd | null> {
    const { client, request } = this;
    const streamed = isStream(reply);
    const answer = this.#answer ?? request.protocol.answer(request.body, streamed);
    this.#answer = answer;
    if (streamed && !this.#headSent) {
      this.#head(reply);
      client.heartbeat(request.protocol.heartbeat);
    }
    const decoder = new TextDecoder();
    let size = 0;
    try {
      for await (const chunk of reply.chunks) {
        size += chunk.length;
        if (!streamed && size > MAX_BODY) throw new Error(`the answer is longer than ${MAX_BODY} bytes`);
        const out = answer.take(decoder.decode(chunk, { stream: true }));
        if (out !== '') await client.write(out);
      }
      const rest = answer.take(decoder.decode());
      if (rest !== '') await client.write(rest);
      const end = answer.endRound();
      if (end.complete) return end;
      await this.#owe(end, sent);
      client.cut();
      return null;
    } catch (error) {
      await this.#oweCut(answer, sent);
      if (client.signal.aborted) return null;
      if (!this.#headSent) throw error;
      await this.#break(messageOf(error));
      return null;
    }
  }

  #head(reply: UpstreamReply): void {
    this.#headSent = true;
    this.client.head(reply.status, forwarded(reply.headers, ['content-encoding']));
  }

  /** Tells a client that already has a part of the answer that no more will come, and breaks off. */
  async #break(message: string): Promise<void> {
    await this.client.write(this.#answer?.fail(message) ?? '');
    this.client.cut();
  }

  async #passError(reply: UpstreamReply): Promise<void> {
    if (this.#headSent) {
      let text = '';
      for await (const chunk of reply.chunks)
        if (text.length < 4_096) text += Buffer.from(chunk).toString('utf8');
      return this.#break(`the upstream answered ${reply.status}: ${text.slice(0, 1_000)}`);
    }
    this.#head(reply);
    for await (const chunk of reply.chunks) await this.client.write(chunk);
    this.client.end();
  }

  async #useOf(end: RoundEnd, sent: Uint8Array | string): Promise<ReportedUsage> {
    const asText = typeof sent === 'string' ? sent : Buffer.from(sent).toString('utf8');
    const { input, output } = end.usage ?? (await estimateUse(asText, end.text));
    // A side request costs tokens and is no turn of the agent's.
    return { turns: this.request.view.offersTools ? 1 : 0, tokens: input + output, model: end.model };
  }

  async #owe(end: RoundEnd, sent: Uint8Array | string): Promise<void> {
    if (!end.calls.some(({ name }) => name === HANDSHAKE_TOOL))
      this.session.owe(await this.#useOf(end, sent));
  }

  async #oweCut(answer: Answer, sent: Uint8Array | string): Promise<void> {
    try {
      await this.#owe(answer.endRound(), sent);
    } catch {
      // Of an answer that cannot be read there is nothing to count.
    }
  }

  /** Judges a whole response and lets out what may go. True when the answer is at its end. */
  async #settle(end: RoundEnd, sent: Uint8Array | string, round: number): Promise<boolean> {
    const { session, parts, client } = this;
    const answer = this.#answer as Answer;
    if (end.calls.length === 0) {
      this.#stop(await this.#useOf(end, sent));
      return this.#finish(answer, end, []);
    }
    const asksHandshake = end.calls.some(({ name }) => name === HANDSHAKE_TOOL);
    const use = asksHandshake ? { turns: 0, tokens: 0, model: end.model } : await this.#useOf(end, sent);
    const judged = await parts.judge.judge(session, end.calls, use);
    if (judged.kind === 'visible') {
      if (!judged.verdicts.some(({ allowed }) => allowed)) this.#stop({ turns: 0, tokens: 0, model: null });
      return this.#finish(answer, end, judged.verdicts);
    }
    if (judged.over !== null || round === MAX_ROUNDS) {
      const text =
        judged.over ??
        `Refused: the handshake was not completed in ${MAX_ROUNDS} attempts.\nSay which intent to work for, or ask a human.`;
      return this.#finish(answer, end, refuseAll(end.calls, text));
    }
    const out = answer.nextRound();
    if (out !== '') await client.write(out);
    this.#appended.push(...end.said, ...this.request.protocol.results(end.calls, judged.answers));
    return false;
  }

  /** The agent's run is over; its last response is counted soon. A side request's tokens wait for the next event. */
  #stop(usage: ReportedUsage): void {
    this.session.owe(usage);
    if (this.request.view.offersTools) this.parts.resting.add(this.session);
  }

  async #finish(answer: Answer, end: RoundEnd, verdicts: readonly Verdict[]): Promise<boolean> {
    const { session, request, client } = this;
    const out = answer.finish(verdicts);
    const refused = end.calls.flatMap((call, at) => {
      const verdict = verdicts[at];
      return verdict && !verdict.allowed ? [{ call, text: verdict.text }] : [];
    });
    const ids = answer.ids();
    if (ids)
      session.link(ids.shown, {
        id: ids.real,
        owed: request.protocol.results(
          refused.map(({ call }) => call),
          refused.map(({ text }) => ({ text, ok: false })),
        ),
      });
    if (this.#appended.length > 0)
      session.hidden.remember({
        anchors: answer.anchors(),
        turns: [...this.#appended],
        shown: [...answer.hiddenParts],
      });
    session.answered(request.view);
    if (!this.#headSent) {
      this.#headSent = true;
      client.head(200, { 'content-type': 'application/json' });
    }
    client.end(out);
    return true;
  }
}
