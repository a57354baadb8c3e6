import { isObject, type JsonObject, type JsonValue } from '../../../core/json.ts';
import { asksForCall, finishReason, isOtherCase, useOf } from '../../../models/chat/calls.ts';
import { type Draft, WireFault } from '../../../models/shapes.ts';
import { type SseEvent, sse } from '../../../models/sse.ts';
import { StreamedAnswer } from '../stream-base.ts';
import { afterText, refusalOf } from '../whole-answer.ts';
import type { RoundEnd, Verdict } from '../wire.ts';
import { askedOf, asMessageCall, type Gathering, gather, gatheredLegacy } from './gathering.ts';
import { anchorsOf } from './history.ts';

/** What of a choice is passed on beside its delta. */
function known({ index, logprobs }: JsonObject): JsonObject {
  return { index: index ?? 0, ...(logprobs === undefined ? {} : { logprobs }) };
}

/**
 * A streamed chat completion. Text goes on as it comes; the pieces of tool calls, and the end with its usage, wait
 * until the response is over and its calls are judged.
 */
export class ChatStream extends StreamedAnswer {
  readonly #wantsUsage: boolean;
  /** What every chunk of the visible answer shares. */
  #base: JsonObject | null = null;
  #model: string | null = null;
  #saidRole = false;
  #visibleText = '';
  #shownCalls: JsonObject[] = [];
  // Of the present round:
  #calls: Gathering[] = [];
  #text = '';
  #usage: JsonObject | null = null;
  #usageChunk: JsonObject | null = null;
  #end: JsonObject | null = null;
  #done = false;

  constructor(body: JsonObject) {
    super();
    this.#wantsUsage = isObject(body.stream_options) && body.stream_options.include_usage === true;
  }

  get over(): boolean {
    return this.#done;
  }

  protected get usage(): JsonObject | null {
    return this.#usage;
  }

  protected asks(raw: string): boolean {
    return asksForCall(raw);
  }

  protected override done(): void {
    this.#done = true;
  }

  protected read(data: JsonObject, event: SseEvent): string {
    if (data.error !== undefined) {
      this.failed = true;
      return asksForCall(event.raw) ? '' : event.raw;
    }
    return this.#chunk(data, event);
  }

  #chunk(data: JsonObject, event: SseEvent): string {
    if (typeof data.model === 'string') this.#model = data.model;
    const { id, object, created, model, system_fingerprint, service_tier } = data;
    this.#base ??= { id, object, created, model, system_fingerprint, service_tier };
    if (isObject(data.usage)) this.#usage = data.usage;
    const choices = Array.isArray(data.choices) ? data.choices : [];
    if (!choices.every(isObject)) throw new WireFault('a choice is no object');
    if (choices.length === 0) {
      // An empty list may bring filter results; no list at all is nothing that a client could wait for.
      if (asksForCall(event.raw)) throw new WireFault('a call hides in another event');
      if (!isObject(data.usage)) return Array.isArray(data.choices) ? event.raw : '';
      this.#usageChunk = data;
      return '';
    }
    const others = choices.filter(({ index }) => index !== 0 && index !== undefined);
    if (others.length > 0 && asksForCall(event.raw)) throw new WireFault('a second choice asks for a tool');
    const own = choices.find((choice) => !others.includes(choice));
    if (!own) return event.raw;
    return this.#choice(data, own, others, event);
  }

  #choice(data: JsonObject, own: JsonObject, others: readonly JsonObject[], event: SseEvent): string {
    const delta = isObject(own.delta) ? own.delta : {};
    if (Object.keys(delta).some(isOtherCase)) throw new WireFault('a call comes under a key in another case');
    const { tool_calls: calls, function_call: legacy, ...speech } = delta;
    if (Array.isArray(calls))
      for (const piece of calls) if (isObject(piece)) this.hold(gather(this.#calls, piece));
    if (isObject(legacy)) this.#calls.push(gatheredLegacy(legacy));
    if (typeof speech.content === 'string') this.#text += speech.content;
    const isEnd = own.finish_reason !== null && own.finish_reason !== undefined;
    if (isEnd && asksForCall(JSON.stringify({ ...data, choices: [] })))
      throw new WireFault('a call hides in the end');
    if (isEnd)
      this.#end = { ...data, choices: [{ ...known(own), delta: {}, finish_reason: own.finish_reason }] };
    const isPlain = !isEnd && !asksForCall(event.raw);
    if (isPlain && this.usages.length === 0) {
      if (speech.role !== undefined) this.#saidRole = true;
      if (typeof speech.content === 'string') this.#visibleText += speech.content;
      return event.raw;
    }
    const passed: Draft = { ...speech };
    if (this.#saidRole) delete passed.role;
    if (this.usages.length > 0 && passed.content === '') delete passed.content;
    const isEmpty = Object.values(passed).every((value) => value === undefined || value === null);
    if (isEmpty && others.length === 0) return '';
    if (passed.role !== undefined) this.#saidRole = true;
    if (typeof passed.content === 'string') this.#visibleText += passed.content;
    return this.#emit([{ ...known(own), delta: passed, finish_reason: null }, ...others]);
  }

  #emit(choices: readonly JsonValue[], more: JsonObject = {}): string {
    return sse(null, { ...this.#base, ...more, choices });
  }

  #delta(delta: JsonObject): string {
    return this.#emit([{ index: 0, delta, finish_reason: null }]);
  }

  endRound(): RoundEnd {
    const calls = this.#calls.map(asMessageCall);
    return {
      calls: this.#calls.map(askedOf),
      usage: useOf(this.#usage),
      model: this.#model,
      complete: (this.#end !== null || this.#done) && !this.failed,
      said: [
        {
          role: 'assistant',
          content: this.#text === '' ? null : this.#text,
          ...(calls.length > 0 ? { tool_calls: calls } : {}),
        },
      ],
      text: this.#text + this.#calls.map(({ pieces }) => pieces.join('')).join('\n'),
    };
  }

  protected hide(): string {
    if (this.#text !== '') this.hiddenParts.push({ type: 'text', text: this.#text });
    return '';
  }

  protected forget(): void {
    this.#calls = [];
    this.#text = '';
    this.#usage = null;
    this.#usageChunk = null;
    this.#end = null;
    this.#done = false;
  }

  #release(call: Gathering, index: number): string {
    const { id, type, name, pieces } = call;
    const key = type === 'custom' ? 'input' : 'arguments';
    this.#shownCalls.push(asMessageCall(call));
    const role = this.#saidRole ? {} : { role: 'assistant' };
    this.#saidRole = true;
    return (
      this.#delta({ ...role, tool_calls: [{ index, id, type, [type]: { name, [key]: '' } }] }) +
      pieces
        .filter((piece) => piece !== '')
        .map((piece) => this.#delta({ tool_calls: [{ index, [type]: { [key]: piece } }] }))
        .join('')
    );
  }

  #refuse(text: string): string {
    const content = afterText(this.#visibleText, text);
    this.#visibleText += content;
    const role = this.#saidRole ? {} : { role: 'assistant' };
    this.#saidRole = true;
    return this.#delta({ ...role, content });
  }

  finish(verdicts: readonly Verdict[]): string {
    let refusals = '';
    let calls = '';
    let left = 0;
    for (const [at, call] of this.#calls.entries()) {
      const refusal = refusalOf(verdicts[at]);
      if (refusal === null) calls += this.#release(call, left++);
      else refusals += this.#refuse(refusal);
    }
    return refusals + calls + this.#ending(left);
  }

  #ending(callsLeft: number): string {
    const end = this.#end ?? { choices: [{ index: 0, delta: {}, finish_reason: null }] };
    const [choice] = Array.isArray(end.choices) ? end.choices.filter(isObject) : [];
    const { usage, ...rest } = end as Draft;
    const finish = { ...choice, finish_reason: finishReason(choice?.finish_reason, callsLeft) };
    const more = this.#wantsUsage && usage !== undefined ? { usage } : {};
    let out = sse(null, { ...rest, ...this.#base, ...more, choices: [finish] });
    if (this.#wantsUsage && this.#usageChunk) out += this.#emit([], { usage: this.summed });
    return this.#done ? `${out}data: [DONE]\n\n` : out;
  }

  fail(message: string): string {
    return sse(null, { error: { message, type: 'api_error', param: null, code: null } });
  }

  anchors(): string[] {
    return anchorsOf({
      content: this.#visibleText,
      ...(this.#shownCalls.length > 0 ? { tool_calls: this.#shownCalls } : {}),
    });
  }
}
