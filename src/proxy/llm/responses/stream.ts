import { isObject, type JsonObject } from '../../../core/json.ts';
import {
  asksForCall,
  callOf,
  isSpeech,
  refusalItem,
  restoreEcho,
  textOf,
  useOf,
} from '../../../models/responses/items.ts';
import { sayable } from '../../../models/responses/said.ts';
import { type AskedCall, WireFault } from '../../../models/shapes.ts';
import { type SseEvent, sse } from '../../../models/sse.ts';
import { type Part, PlacedStream } from '../placed-stream.ts';
import type { RoundEnd } from '../wire.ts';
import { anchorsOf } from './history.ts';

interface Item extends Part {
  /** The item as it was completed; null until then. */
  done: JsonObject | null;
  /** Arguments as their deltas brought them, to be held against the completed item. */
  deltas: string;
  whole: string | null;
}

const ENDINGS = new Set<unknown>(['response.completed', 'response.incomplete', 'response.failed']);

/** A streamed response of OpenAI's Responses. */
export class ResponsesStream extends PlacedStream<Item> {
  #ownFrom = 0;
  #shownId: string | null = null;
  #realId: string | null = null;
  #sequence = 0;
  // Of the present round:
  #ending: { readonly data: JsonObject; readonly event: SseEvent } | null = null;

  constructor(private readonly request: JsonObject) {
    super();
  }

  get over(): boolean {
    return this.#ending !== null;
  }

  get #response(): JsonObject {
    return isObject(this.#ending?.data.response) ? this.#ending.data.response : {};
  }

  protected get usage(): JsonObject | null {
    return isObject(this.#response.usage) ? this.#response.usage : null;
  }

  protected asks(raw: string): boolean {
    return asksForCall(raw);
  }

  protected isSpeech(item: JsonObject): boolean {
    return isSpeech(item);
  }

  protected make(part: Part): Item {
    return { ...part, done: null, deltas: '', whole: null };
  }

  protected read(data: JsonObject, event: SseEvent): string {
    if (data.type === 'error') {
      this.failed = true;
      this.unjudged(event);
      return this.#emit(data, event);
    }
    if (ENDINGS.has(data.type)) {
      this.#takeEnd(data, event);
      return '';
    }
    if (isObject(data.response)) return this.#start(data, data.response, event);
    if (data.type === 'response.output_item.added')
      return this.pass(this.begin(data.output_index, data.item), data, event);
    if (data.output_index !== undefined) return this.#within(data, event);
    if (data.item !== undefined) throw new WireFault('an item comes without its place');
    this.unjudged(event);
    return this.#emit(data, event);
  }

  /** An event in the visible answer's own count. */
  #emit(data: JsonObject, event: SseEvent, place: JsonObject = {}): string {
    return sse(event.event, { ...data, ...place, sequence_number: this.#sequence++ });
  }

  protected placed(data: JsonObject, event: SseEvent, index: number): string {
    if (data.sequence_number !== this.#sequence || data.output_index !== index)
      return this.rewritten(data, event, index);
    this.#sequence += 1;
    return event.raw;
  }

  protected rewritten(data: JsonObject, event: SseEvent, index: number): string {
    return this.#emit(data, event, { output_index: index });
  }

  #make(type: string, data: JsonObject): string {
    return sse(type, { type, sequence_number: this.#sequence++, ...data });
  }

  #start(data: JsonObject, response: JsonObject, event: SseEvent): string {
    if (typeof response.id === 'string') this.#realId = response.id;
    if (Array.isArray(response.output) && response.output.length > 0)
      throw new WireFault('a response begins with output');
    if (this.usages.length > 0) return '';
    this.#shownId ??= this.#realId;
    this.unjudged(event);
    return this.#emit(data, event, { response: restoreEcho(response, this.request) });
  }

  #within(data: JsonObject, event: SseEvent): string {
    const item = this.partAt(data.output_index);
    const type = String(data.type);
    if (type === 'response.output_item.done' && isObject(data.item)) {
      if (data.item.type !== item.begun.type || isSpeech(data.item) === item.isCall)
        throw new WireFault('an item changes its type');
      item.done = data.item;
    } else if (/(arguments|input)\.delta$/.test(type) && typeof data.delta === 'string')
      item.deltas += data.delta;
    else if (/(arguments|input)\.done$/.test(type)) item.whole = String(data.arguments ?? data.input ?? '');
    return this.pass(item, data, event);
  }

  #takeEnd(data: JsonObject, event: SseEvent): void {
    this.#ending = { data, event };
    const response = this.#response;
    if (asksForCall(JSON.stringify({ ...response, output: [] })))
      throw new WireFault('a call hides in the end');
    if (typeof response.id === 'string') this.#realId = response.id;
    this.#shownId ??= this.#realId;
    const output = Array.isArray(response.output) ? response.output.filter(isObject) : [];
    // Some servers name an item in the end only; it is judged like any other.
    for (const [index, done] of output.entries()) {
      if (this.parts.has(index)) continue;
      const isCall = !isSpeech(done);
      if (!isCall && asksForCall(JSON.stringify(done))) throw new WireFault('a call hides in another item');
      this.parts.set(index, { ...this.make({ begun: done, isCall, held: [], index: -1 }), done });
    }
  }

  /** A call, when all that was said of its arguments agrees. */
  protected asked(item: Item): AskedCall {
    const call = callOf(item.done ?? item.begun);
    const final = String(item.done?.arguments ?? item.done?.input ?? '');
    const differs = (text: string | null) => text !== null && text !== '' && text !== final;
    if (!item.done) return { ...call, args: null, fault: 'it was never completed' };
    for (const key of ['name', 'namespace', 'call_id'])
      if (item.begun[key] !== undefined && item.begun[key] !== item.done[key])
        return { ...call, args: null, fault: `its ${key} was sent twice and differs` };
    if (differs(item.deltas) || differs(item.whole))
      return { ...call, args: null, fault: 'its arguments were sent twice and differ' };
    return call;
  }

  protected said({ done, begun }: Item): JsonObject {
    return done ?? begun;
  }

  endRound(): RoundEnd {
    const isOver = this.#ending !== null && this.#ending.data.type !== 'response.failed';
    const whole = [...this.parts.values()].map((item) => this.said(item));
    return {
      calls: isOver ? this.calls : [],
      usage: useOf(this.usage),
      model: typeof this.#response.model === 'string' ? this.#response.model : null,
      complete: this.#ending !== null && !this.failed,
      said: sayable(whole, this.request),
      text: whole.map((item) => `${textOf(item)}${String(item.arguments ?? item.input ?? '')}`).join('\n'),
    };
  }

  protected override forget(): void {
    super.forget();
    this.#ownFrom = this.visible.length;
    this.#ending = null;
  }

  protected override release(item: Item): string {
    const out = super.release(item);
    if (item.held?.length !== 0) return out;
    const place = { output_index: item.index, item: this.said(item) };
    return this.#make('response.output_item.added', place) + this.#make('response.output_item.done', place);
  }

  protected refuse(text: string): string {
    const output_index = this.next++;
    const item_id = `msg_pactclaw_${this.#shownId ?? ''}_${output_index}`;
    const item = refusalItem(item_id, text);
    this.visible.push(item);
    const place = { item_id, output_index, content_index: 0 };
    const part = { type: 'output_text', text: '', annotations: [] };
    return (
      this.#make('response.output_item.added', {
        output_index,
        item: { ...item, status: 'in_progress', content: [] },
      }) +
      this.#make('response.content_part.added', { ...place, part }) +
      this.#make('response.output_text.delta', { ...place, delta: text }) +
      this.#make('response.output_text.done', { ...place, text }) +
      this.#make('response.content_part.done', { ...place, part: { ...part, text } }) +
      this.#make('response.output_item.done', { output_index, item })
    );
  }

  protected end(): string {
    const { data, event } = this.#ending ?? {
      data: { type: 'response.completed' },
      event: { event: 'response.completed' },
    };
    const response = {
      ...restoreEcho(this.#response, this.request),
      id: this.#shownId,
      output: this.visible,
      usage: this.summed,
    };
    return sse(event.event, { type: data.type, response, sequence_number: this.#sequence++ });
  }

  fail(message: string): string {
    return this.#make('error', { code: 'server_error', message, param: null });
  }

  anchors(): string[] {
    return anchorsOf(this.visible.slice(this.#ownFrom));
  }

  override ids(): { readonly shown: string; readonly real: string } | null {
    return this.#shownId === null || this.#realId === null
      ? null
      : { shown: this.#shownId, real: this.#realId };
  }
}
