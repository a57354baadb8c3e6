import { isObject, type JsonObject } from '../../../core/json.ts';
import { exactly, writeExact } from '../../../models/exact-json.ts';
import { asksForCall, isSpeech, listOf, partsOf, textOf, useOf } from '../../../models/gemini/parts.ts';
import type { AskedCall } from '../../../models/shapes.ts';
import { type SseEvent, sse } from '../../../models/sse.ts';
import { StreamedAnswer } from '../stream-base.ts';
import type { RoundEnd, Verdict } from '../wire.ts';
import { anchorsOf } from './history.ts';
import { assertNoOther, callsIn, judging } from './parts-out.ts';

/** An event that waits for the end of its response. `parts`: numbers as they were written. */
interface Held {
  readonly raw: string;
  readonly data: JsonObject;
  readonly parts: readonly JsonObject[];
}

/**
 * A streamed answer of generateContent: events that each bring whole parts. Speech goes on as it comes; from the first
 * call, or the finish reason, on everything waits for the end of the response.
 */
export class GeminiStream extends StreamedAnswer {
  /** The stream's end is the only one: usage may follow the finish reason. */
  readonly over = false;
  #responseId: string | null = null;
  /** What ends a line of the upstream: some clients cut at the first blank line of either kind that they find. */
  #newline = '\n';
  #model: string | null = null;
  readonly #visible: JsonObject[] = [];
  // Of the present round:
  #usage: JsonObject | null = null;
  #held: Held[] = [];
  #parts: JsonObject[] = [];
  #calls: AskedCall[] = [];
  #ended = false;

  protected get usage(): JsonObject | null {
    return this.#usage;
  }

  protected asks(raw: string): boolean {
    return asksForCall(raw);
  }

  protected read(data: JsonObject, event: SseEvent): string {
    if (event.raw.endsWith('\r\n')) this.#newline = '\r\n';
    if (data.error !== undefined) {
      this.failed = true;
      return this.unjudged(event);
    }
    if (typeof data.modelVersion === 'string') this.#model = data.modelVersion;
    if (typeof data.responseId === 'string') this.#responseId ??= data.responseId;
    if (isObject(data.usageMetadata)) this.#usage = { ...this.#usage, ...data.usageMetadata };
    const [own, ...others] = listOf(data.candidates);
    const parts = partsOf(own?.content);
    const calls = callsIn(parts);
    if (calls.length === 0) this.unjudged(event);
    if (calls.length > 0 || others.length > 0) assertNoOther(data);
    this.#calls.push(...calls);
    this.#ended ||= typeof own?.finishReason === 'string' || isObject(data.promptFeedback);
    return this.#pass(exactly(event.data, data), event, calls.length > 0);
  }

  #pass(data: JsonObject, event: SseEvent, isCall: boolean): string {
    const parts = partsOf(listOf(data.candidates)[0]?.content);
    this.#parts.push(...parts);
    if (isCall || this.#ended || this.#held.length > 0) {
      this.hold(event.raw.length);
      this.#held.push({ raw: event.raw, data, parts });
      return '';
    }
    this.#visible.push(...parts);
    return this.usages.length === 0 ? event.raw : this.#emit(data, parts);
  }

  /** An event with other parts, under the id of the answer's first one. */
  #emit(data: JsonObject, parts: readonly JsonObject[], more: JsonObject = {}): string {
    const [own, ...others] = listOf(data.candidates);
    const content = { ...(isObject(own?.content) ? own.content : { role: 'model' }), parts: [...parts] };
    const candidates = own ? { candidates: [{ ...own, content }, ...others] } : {};
    const id = this.#responseId === null ? {} : { responseId: this.#responseId };
    return `data: ${writeExact({ ...data, ...candidates, ...id, ...more })}${this.#newline.repeat(2)}`;
  }

  endRound(): RoundEnd {
    return {
      calls: this.#calls,
      usage: useOf(this.#usage),
      model: this.#model,
      complete: this.#ended && !this.failed,
      said: [
        { role: 'model', parts: this.#parts.filter((part) => part.text !== '' || part.thoughtSignature) },
      ],
      text: textOf(this.#parts) + this.#calls.map(({ args }) => JSON.stringify(args)).join('\n'),
    };
  }

  protected hide(): string {
    let out = '';
    for (const { data, parts } of this.#held) {
      const speech = parts.filter((part) => isSpeech(part) && part.text !== '');
      if (speech.length === 0) continue;
      this.#visible.push(...speech);
      const { modelVersion, responseId } = data;
      out += this.#emit({ modelVersion, responseId, candidates: [{ index: 0 }] }, speech);
    }
    this.hiddenParts.push(...this.#parts.filter(isSpeech));
    return out;
  }

  protected forget(): void {
    this.#usage = null;
    this.#held = [];
    this.#parts = [];
    this.#calls = [];
    this.#ended = false;
  }

  finish(verdicts: readonly Verdict[]): string {
    const isAlone = this.usages.length === 0;
    const shown = judging(this.#calls, verdicts, this.#visible);
    const last = this.#held.at(-1);
    return this.#held
      .map((held) => {
        const parts = shown(held.parts);
        this.#visible.push(...parts);
        if (isAlone && this.#calls.length === 0) return held.raw;
        const usageMetadata = held === last && !isAlone ? this.summed : null;
        return this.#emit(held.data, parts, usageMetadata ? { usageMetadata } : {});
      })
      .join('');
  }

  fail(message: string): string {
    return sse(null, { error: { code: 502, message, status: 'UNAVAILABLE' } });
  }

  anchors(): string[] {
    return anchorsOf(this.#visible);
  }
}
