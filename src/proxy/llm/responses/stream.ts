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
import { type SseEvent, SseReader, sse } from '../../../models/sse.ts';
import { sumUsage } from '../../../models/sum-usage.ts';
import type { Answer, RoundEnd, Verdict } from '../wire.ts';
import { anchorsOf } from './history.ts';

/** An item of the present round. */
interface Item {
  readonly begun: JsonObject;
  /** The item as it was completed; null until then. */
  done: JsonObject | null;
  /** Events that wait for a verdict; null when the item streams. */
  readonly held: { readonly data: JsonObject; readonly event: SseEvent }[] | null;
  /** Place in the visible answer, once it has one. */
  index: number;
  /** Arguments as their deltas brought them, to be held against the completed item. */
  deltas: string;
  whole: string | null;
}

const MAX_HELD = 32 << 20;
const ENDINGS = new Set<unknown>(['response.completed', 'response.incomplete', 'response.failed']);

/**
 * A streamed response. Items of speech go on as they come; from the first call on everything waits for the end of the
 * response, when its usage is known and its calls are judged, so that no item changes its place.
 */
export class ResponsesStream implements Answer {
  readonly #sse = new SseReader();
  readonly #usages: JsonObject[] = [];
  readonly #visible: JsonObject[] = [];
  readonly hiddenParts: JsonObject[] = [];
  #ownFrom = 0;
  #shownId: string | null = null;
  #realId: string | null = null;
  #sequence = 0;
  #next = 0;
  #rounds = 1;
  // Of the present round:
  #items = new Map<number, Item>();
  #heldChars = 0;
  #ending: { readonly data: JsonObject; readonly event: SseEvent } | null = null;
  #failed = false;

  constructor(private readonly asked: JsonObject) {}

  get over(): boolean {
    return this.#ending !== null;
  }

  take(text: string): string {
    let out = '';
    for (const event of this.#sse.push(text)) out += this.#one(event);
    return out;
  }

  #one(event: SseEvent): string {
    if (this.#ending || event.data === '[DONE]') return '';
    if (event.data === '') return event.raw;
    let data: unknown;
    try {
      data = JSON.parse(event.data);
    } catch {
      throw new WireFault('an event of the stream is not JSON');
    }
    if (!isObject(data)) throw new WireFault('an event of the stream is not a JSON object');
    if (data.type === 'error') {
      this.#failed = true;
      return this.#emit(data, event);
    }
    if (ENDINGS.has(data.type)) {
      this.#end(data, event);
      return '';
    }
    if (isObject(data.response)) return this.#begin(data, data.response, event);
    if (data.type === 'response.output_item.added') return this.#added(data, event);
    if (data.output_index !== undefined) return this.#within(data, event);
    if (data.item !== undefined || asksForCall(event.raw))
      throw new WireFault('an item comes without its place');
    return this.#emit(data, event);
  }

  /** An event at its place in the visible answer's own count. */
  #emit(data: JsonObject, event: SseEvent, index?: number): string {
    const sequence_number = this.#sequence++;
    const place = index === undefined ? {} : { output_index: index };
    if (data.sequence_number === sequence_number && (index === undefined || data.output_index === index))
      return event.raw;
    return sse(event.event, { ...data, ...place, sequence_number });
  }

  #make(type: string, data: JsonObject): string {
    return sse(type, { type, sequence_number: this.#sequence++, ...data });
  }

  #begin(data: JsonObject, response: JsonObject, event: SseEvent): string {
    if (typeof response.id === 'string') this.#realId = response.id;
    if (Array.isArray(response.output) && response.output.length > 0)
      throw new WireFault('a response begins with output');
    if (this.#rounds > 1) return '';
    this.#shownId ??= this.#realId;
    if (asksForCall(event.raw)) throw new WireFault('a response begins with calls');
    const restored = restoreEcho(response, this.asked);
    return sse(event.event, { ...data, response: restored, sequence_number: this.#sequence++ });
  }

  #added(data: JsonObject, event: SseEvent): string {
    const begun = isObject(data.item) ? data.item : null;
    const index = Number(data.output_index);
    if (!begun || !Number.isSafeInteger(index)) throw new WireFault('an item begins without its content');
    if (this.#items.has(index)) throw new WireFault(`item ${index} begins twice`);
    const isHeld = !isSpeech(begun) || [...this.#items.values()].some(({ held }) => held !== null);
    const item: Item = {
      begun,
      done: null,
      held: isHeld ? [] : null,
      index: isHeld ? -1 : this.#next++,
      deltas: '',
      whole: null,
    };
    this.#items.set(index, item);
    return this.#pass(item, data, event);
  }

  #within(data: JsonObject, event: SseEvent): string {
    const item = this.#items.get(Number(data.output_index));
    if (!item) throw new WireFault(`item ${String(data.output_index)} was never begun`);
    if (data.type === 'response.output_item.done' && isObject(data.item)) {
      if (data.item.type !== item.begun.type || isSpeech(data.item) !== isSpeech(item.begun))
        throw new WireFault('an item changes its type');
      item.done = data.item;
    } else if (/(arguments|input)\.delta$/.test(String(data.type)) && typeof data.delta === 'string')
      item.deltas += data.delta;
    else if (/(arguments|input)\.done$/.test(String(data.type)))
      item.whole = String(data.arguments ?? data.input ?? '');
    return this.#pass(item, data, event);
  }

  #pass(item: Item, data: JsonObject, event: SseEvent): string {
    if (isSpeech(item.begun) && asksForCall(event.raw)) throw new WireFault('a call hides in another item');
    if (!item.held) return this.#emit(data, event, item.index);
    this.#heldChars += event.raw.length;
    if (this.#heldChars > MAX_HELD)
      throw new WireFault(`its tool calls are longer than ${MAX_HELD} characters`);
    item.held.push({ data, event });
    return '';
  }

  #end(data: JsonObject, event: SseEvent): void {
    this.#ending = { data, event };
    const response = isObject(data.response) ? data.response : {};
    if (asksForCall(JSON.stringify({ ...response, output: [] })))
      throw new WireFault('a call hides in the end');
    if (typeof response.id === 'string') this.#realId = response.id;
    this.#shownId ??= this.#realId;
    const output = Array.isArray(response.output) ? response.output.filter(isObject) : [];
    // Some servers name an item in the end only; it is judged like any other.
    for (const [index, item] of output.entries()) {
      if (this.#items.has(index)) continue;
      if (isSpeech(item) && asksForCall(JSON.stringify(item)))
        throw new WireFault('a call hides in another item');
      this.#items.set(index, { begun: item, done: item, held: [], index: -1, deltas: '', whole: null });
    }
  }

  /** A call, when all that was said of its arguments agrees. */
  #asked(item: Item): AskedCall {
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

  get #response(): JsonObject {
    return isObject(this.#ending?.data.response) ? this.#ending.data.response : {};
  }

  endRound(): RoundEnd {
    const items = [...this.#items.values()];
    const isOver = this.#ending !== null && this.#ending.data.type !== 'response.failed';
    const whole = items.map(({ done, begun }) => done ?? begun);
    return {
      calls: isOver ? items.filter(({ begun }) => !isSpeech(begun)).map((item) => this.#asked(item)) : [],
      usage: useOf(isObject(this.#response.usage) ? this.#response.usage : null),
      model: typeof this.#response.model === 'string' ? this.#response.model : null,
      complete: this.#ending !== null && !this.#failed,
      said: sayable(whole, this.asked),
      text: whole.map((item) => `${textOf(item)}${String(item.arguments ?? item.input ?? '')}`).join('\n'),
    };
  }

  nextRound(): string {
    let out = '';
    for (const item of this.#items.values()) {
      if (!isSpeech(item.begun)) continue;
      out += this.#release(item);
      this.hiddenParts.push(item.done ?? item.begun);
    }
    this.#ownFrom = this.#visible.length;
    this.#usages.push(isObject(this.#response.usage) ? this.#response.usage : {});
    this.#rounds += 1;
    this.#items = new Map();
    this.#heldChars = 0;
    this.#ending = null;
    return out;
  }

  /** An item at its place in the visible answer; its events too, when they were kept back. */
  #release(item: Item): string {
    const whole = item.done ?? item.begun;
    this.#visible.push(whole);
    if (!item.held) return '';
    item.index = this.#next++;
    if (item.held.length === 0)
      return (
        this.#make('response.output_item.added', { output_index: item.index, item: whole }) +
        this.#make('response.output_item.done', { output_index: item.index, item: whole })
      );
    // As it was read and judged: of a key that comes twice another reader might take the other one.
    const place = { output_index: item.index };
    return item.held
      .map(({ data, event }) => sse(event.event, { ...data, ...place, sequence_number: this.#sequence++ }))
      .join('');
  }

  #refuse(text: string): string {
    const output_index = this.#next++;
    const item_id = `msg_pactclaw_${this.#shownId ?? ''}_${output_index}`;
    const item = refusalItem(item_id, text);
    this.#visible.push(item);
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

  finish(verdicts: readonly Verdict[]): string {
    let out = '';
    let at = 0;
    for (const item of this.#items.values()) {
      if (isSpeech(item.begun)) {
        out += this.#release(item);
        continue;
      }
      const verdict = verdicts[at++];
      out += verdict?.allowed
        ? this.#release(item)
        : this.#refuse(verdict ? verdict.text : 'Refused: this call was not judged.');
    }
    const { data, event } = this.#ending ?? {
      data: { type: 'response.completed' },
      event: { event: 'response.completed' },
    };
    const usage = isObject(this.#response.usage) ? this.#response.usage : null;
    const response = {
      ...restoreEcho(this.#response, this.asked),
      id: this.#shownId,
      output: this.#visible,
      usage: this.#usages.length === 0 ? usage : sumUsage([...this.#usages, usage ?? {}]),
    };
    return out + sse(event.event, { type: data.type, response, sequence_number: this.#sequence++ });
  }

  fail(message: string): string {
    return this.#make('error', { code: 'server_error', message, param: null });
  }

  anchors(): string[] {
    return anchorsOf(this.#visible.slice(this.#ownFrom));
  }

  ids(): { readonly shown: string; readonly real: string } | null {
    return this.#shownId === null || this.#realId === null
      ? null
      : { shown: this.#shownId, real: this.#realId };
  }
}
