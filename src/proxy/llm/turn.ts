import { messageOf } from '../../core/errors.ts';
import type { JsonObject } from '../../core/json.ts';
import { HANDSHAKE_TOOL } from '../../core/words.ts';
import type { ReportedUsage } from '../../hooks/requests.ts';
import { estimateUse } from '../../models/estimate.ts';
import type { AskedCall } from '../../models/shapes.ts';
import { AWS_EVENTS, type Framing, framedReply, textReader } from './framing.ts';
import { forwarded } from './headers.ts';
import type { HiddenAnswer } from './judge.ts';
import { planRequest, withinContext } from './plan-request.ts';
import type { ClientReply, UpstreamReply } from './ports.ts';
import { readAnswer } from './read-answer.ts';
import { assertNoRedirect } from './redirect.ts';
import { writeBody } from './request-body.ts';
import { headerOf, type LlmSession } from './session.ts';
import { tellEvents } from './tell-events.ts';
import { NO_USE, type TurnParts, type TurnRequest } from './turn-parts.ts';
import type { Answer, RoundEnd, Verdict } from './wire.ts';

/** Responses that one answer may be made of: the handshake and what it takes to get it right. */
const MAX_ROUNDS = 8;
/**
 * How often in one answer a model is told in private that the handshake comes first. Fewer than the identical calls that
 * end a session, and after that the client is told.
 */
const MAX_REMINDERS = 2;

function textOf(sent: Uint8Array | string): string {
  return typeof sent === 'string' ? sent : new TextDecoder().decode(sent);
}

/** How a response is framed: null for one in one piece. */
function framingOf({ headers }: UpstreamReply): 'sse' | 'aws' | null {
  const type = headerOf(headers, 'content-type') ?? '';
  if (/^text\/event-stream/i.test(type)) return 'sse';
  return /^application\/vnd\.amazon\.eventstream/i.test(type) ? 'aws' : null;
}

function refuseAll(calls: readonly AskedCall[], text: string): Verdict[] {
  return calls.map(() => ({ allowed: false, text }));
}

/** One turn of a session: events before the model is asked, the model's answer, judged on its way back. */
export class Turn {
  #answer: Answer | null = null;
  #headSent = false;
  /** The upstream's answer to the present round. */
  #reply: UpstreamReply | null = null;
  /** What may go to the client and waits for more to go with it. */
  #unsent = '';
  readonly #appended: JsonObject[] = [];
  #reminders = 0;

  constructor(
    private readonly parts: TurnParts,
    private readonly session: LlmSession,
    private readonly request: TurnRequest,
    private client: ClientReply,
  ) {}

  /** Serves the request. Throws what goes wrong before anything was sent; later failures are told in the stream. */
  async serve(): Promise<void> {
    if (this.request.view.offersTools) this.session.atRest = false;
    const { parts, session, request } = this;
    const alarms = await tellEvents(parts, session, request.view);
    const body = await withinContext(parts, session, request);
    for (let round = 1; ; round += 1) {
      const plan = await planRequest(parts, session, request, this.#appended, round === 1 ? alarms : []);
      const { protocol, read, path, headers } = request;
      const sent = writeBody(read, protocol.edit(body, plan));
      let reply: UpstreamReply;
      try {
        reply = await parts.upstream({ method: 'POST', path, headers, body: sent }, this.client.signal);
        assertNoRedirect(reply);
      } catch (error) {
        if (!this.#headSent) throw error;
        return this.#break(messageOf(error));
      }
      this.#reply = reply;
      if (reply.status < 200 || reply.status > 299) return this.#passError(reply);
      const end = await this.#receive(reply, sent);
      if (!end) return;
      if (await this.#settle(end, sent, round)) return;
    }
  }

  /** Reads one response to its end. Null when it was cut, which the client has been shown. */
  async #receive(reply: UpstreamReply, sent: Uint8Array | string): Promise<RoundEnd | null> {
    const { request } = this;
    const framing = framingOf(reply);
    const streamed = framing !== null;
    const answer = this.#answer ?? request.protocol.answer(request.read.body, streamed);
    this.#answer = answer;
    if (streamed && !this.#headSent) {
      this.#frame(framing === 'aws' ? AWS_EVENTS : request.framing);
      this.#head(reply);
      this.client.heartbeat(request.protocol.heartbeat);
    }
    const { client } = this;
    const reader = framing === 'aws' ? AWS_EVENTS.reader() : textReader();
    try {
      this.#unsent = await readAnswer(reply.chunks, answer, reader, streamed, client);
      const end = answer.endRound();
      if (end.complete) return end;
      await this.#owe(end, sent);
      await this.#send('');
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

  /** From here on the client's side of the stream has a framing of its own. */
  #frame(framing: Framing | null): void {
    if (framing) this.client = framedReply(this.client, framing);
  }

  #head(reply: UpstreamReply): void {
    this.#headSent = true;
    this.client.head(reply.status, forwarded(reply.headers, ['content-encoding']));
  }

  /** Sends what waits, and this after it. */
  async #send(text: string): Promise<void> {
    const out = this.#unsent + text;
    this.#unsent = '';
    if (out !== '') await this.client.write(out);
  }

  /** Tells a client that already has a part of the answer that no more will come, and breaks off. */
  async #break(message: string): Promise<void> {
    await this.#send(this.#answer?.fail(message) ?? '');
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
    const { input, output } = end.usage ?? (await estimateUse(textOf(sent), end.text));
    // A side request costs tokens and is no turn of the agent's.
    return { turns: this.request.view.offersTools ? 1 : 0, tokens: input + output, model: end.model };
  }

  async #owe(end: RoundEnd, sent: Uint8Array | string): Promise<void> {
    const isHandshake = end.calls.length === 1 && end.calls[0]?.name === HANDSHAKE_TOOL;
    if (!isHandshake) this.session.owe(await this.#useOf(end, sent));
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
    const { session, parts } = this;
    const answer = this.#answer as Answer;
    if (end.calls.length === 0) {
      this.#stop(await this.#useOf(end, sent));
      return this.#finish(answer, end, []);
    }
    // The engine's word takes a moment.
    await this.#send('');
    const judged = await parts.judge.judge(session, end.calls, await this.#useOf(end, sent));
    if (judged.kind === 'visible') {
      const answers = this.#reminded(judged.verdicts);
      if (answers) return this.#goOn(answer, end, answers);
      if (!judged.verdicts.some(({ allowed }) => allowed)) this.#stop(NO_USE);
      return this.#finish(answer, end, judged.verdicts);
    }
    if (judged.over !== null || round === MAX_ROUNDS) {
      const text =
        judged.over ??
        `Refused: the handshake was not completed in ${MAX_ROUNDS} attempts.\nSay which intent to work for, or ask a human.`;
      return this.#finish(answer, end, refuseAll(end.calls, text));
    }
    return this.#goOn(answer, end, judged.answers);
  }

  /** The round stays hidden: its calls are answered here, and the model goes on. */
  async #goOn(answer: Answer, end: RoundEnd, answers: readonly HiddenAnswer[]): Promise<false> {
    await this.#send(answer.nextRound());
    this.#appended.push(...end.said, ...this.request.protocol.results(end.calls, answers));
    return false;
  }

  /** The refusals as answers to the model, when all of them say that the handshake comes first; null otherwise. */
  #reminded(verdicts: readonly Verdict[]): readonly HiddenAnswer[] | null {
    const texts = verdicts.flatMap((verdict) => (!verdict.allowed && verdict.early ? [verdict.text] : []));
    if (!this.request.view.offersTools || texts.length < verdicts.length) return null;
    this.#reminders += 1;
    return this.#reminders > MAX_REMINDERS ? null : texts.map((text) => ({ text, ok: false }));
  }

  /** The agent's run is over; its last response is counted soon. A side request's tokens wait for the next event. */
  #stop(usage: ReportedUsage): void {
    this.session.owe(usage);
    if (this.request.view.offersTools) this.parts.resting.add(this.session);
  }

  async #finish(answer: Answer, end: RoundEnd, verdicts: readonly Verdict[]): Promise<boolean> {
    const { session, request, client } = this;
    const out = this.#unsent + answer.finish(verdicts);
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
    if (!this.#headSent && this.#reply) this.#head(this.#reply);
    client.end(out);
    return true;
  }
}
