import { isObject, type JsonObject } from '../../../core/json.ts';
import { asksForCall, callOf, isSpeech, stopReason, useOf } from '../../../models/anthropic/blocks.ts';
import { type Draft, WireFault } from '../../../models/shapes.ts';
import { type SseEvent, SseReader, sse } from '../../../models/sse.ts';
import { sumUsage } from '../../../models/sum-usage.ts';
import type { Answer, RoundEnd, Verdict } from '../wire.ts';
import { anchorsOf } from './history.ts';

/** A block of the present round. */
interface Block {
  readonly start: JsonObject;
  /** Events of the block that wait for a verdict; null when it streams. */
  readonly held: SseEvent[] | null;
  /** Place in the visible answer, once it has one. */
  index: number;
  json: string;
  text: string;
  signature: string;
  citations: JsonObject[];
}

/** Most that is kept back of one answer, in characters. */
const MAX_HELD = 32 << 20;

function said(block: Block): JsonObject {
  const { start } = block;
  if (start.type === 'text')
    return {
      ...start,
      text: `${String(start.text ?? '')}${block.text}`,
      ...(block.citations.length > 0 ? { citations: block.citations } : {}),
    };
  if (start.type === 'thinking')
    return {
      ...start,
      thinking: `${String(start.thinking ?? '')}${block.text}`,
      signature: `${String(start.signature ?? '')}${block.signature}`,
    };
  if (block.json === '') return start;
  return { ...start, input: callOf({ ...start, type: 'tool_use' }, block.json).args ?? {} };
}

/** A history with empty texts in it is refused by the provider. */
function isMeaningful(block: JsonObject): boolean {
  return block.type !== 'text' || block.text !== '';
}

/**
 * A streamed answer of Anthropic Messages. Speech goes on as it comes; from the first tool call on everything waits for
 * the end of the response, when its usage is known and its calls are judged, so that no block changes its place.
 */
export class AnthropicStream implements Answer {
  readonly #sse = new SseReader();
  readonly #usages: JsonObject[] = [];
  readonly #visible: JsonObject[] = [];
  readonly hiddenParts: JsonObject[] = [];
  #model: string | null = null;
  #next = 0;
  #heldChars = 0;
  #begun = false;
  // Of the present round:
  #blocks = new Map<number, Block>();
  #usage: JsonObject = {};
  #ending: JsonObject | null = null;
  #endingRaw = '';
  #stopRaw: string | null = null;
  #failed = false;

  get over(): boolean {
    return this.#stopRaw !== null;
  }

  take(text: string): string {
    let out = '';
    for (const event of this.#sse.push(text)) out += this.#one(event);
    return out;
  }

  #one(event: SseEvent): string {
    if (this.#stopRaw !== null) return '';
    if (event.data === '') return event.raw;
    let data: unknown;
    try {
      data = JSON.parse(event.data);
    } catch {
      throw new WireFault('an event of the stream is not JSON');
    }
    if (!isObject(data)) throw new WireFault('an event of the stream is not a JSON object');
    switch (data.type) {
      case 'message_start':
        return this.#start(data, event);
      case 'content_block_start':
        return this.#blockStart(data, event);
      case 'content_block_delta':
        return this.#delta(data, event);
      case 'content_block_stop':
        return this.#pass(this.#block(data), data, event);
      case 'message_delta':
        if (isObject(data.usage)) this.#usage = { ...this.#usage, ...data.usage };
        this.#ending = data;
        this.#endingRaw = this.#unjudged(event);
        return '';
      case 'message_stop':
        this.#stopRaw = this.#unjudged(event);
        return '';
      case 'error':
        this.#failed = true;
        return this.#unjudged(event);
      default:
        return this.#unjudged(event);
    }
  }

  #start(data: JsonObject, event: SseEvent): string {
    const message = isObject(data.message) ? data.message : {};
    if (isObject(message.usage)) this.#usage = { ...message.usage };
    if (typeof message.model === 'string') this.#model = message.model;
    if (Array.isArray(message.content) && message.content.length > 0)
      throw new WireFault('message_start brings content');
    if (this.#begun) return '';
    this.#begun = true;
    return this.#unjudged(event);
  }

  #unjudged(event: SseEvent): string {
    if (asksForCall(event.raw)) throw new WireFault('a call hides in another event');
    return event.raw;
  }

  #block(data: JsonObject): Block {
    const block = this.#blocks.get(Number(data.index));
    if (!block) throw new WireFault(`content block ${String(data.index)} was never begun`);
    return block;
  }

  #blockStart(data: JsonObject, event: SseEvent): string {
    const start = isObject(data.content_block) ? data.content_block : null;
    const index = Number(data.index);
    if (!start || !Number.isSafeInteger(index))
      throw new WireFault('a content block begins without its content');
    if (this.#blocks.has(index)) throw new WireFault(`content block ${index} begins twice`);
    const isHeld = !isSpeech(start.type) || [...this.#blocks.values()].some(({ held }) => held !== null);
    const block: Block = {
      start,
      held: isHeld ? [] : null,
      index: isHeld ? -1 : this.#next++,
      json: '',
      text: '',
      signature: '',
      citations: [],
    };
    this.#blocks.set(index, block);
    return this.#pass(block, data, event);
  }

  #delta(data: JsonObject, event: SseEvent): string {
    const block = this.#block(data);
    const delta = isObject(data.delta) ? data.delta : {};
    if (typeof delta.partial_json === 'string') {
      if (block.start.type === 'text' || block.start.type === 'thinking')
        throw new WireFault('a block of text is given arguments');
      block.json += delta.partial_json;
    }
    if (typeof delta.text === 'string') block.text += delta.text;
    if (typeof delta.thinking === 'string') block.text += delta.thinking;
    if (typeof delta.signature === 'string') block.signature += delta.signature;
    if (isObject(delta.citation)) block.citations.push(delta.citation);
    return this.#pass(block, data, event);
  }

  #pass(block: Block, data: JsonObject, event: SseEvent): string {
    if (isSpeech(block.start.type)) this.#unjudged(event);
    if (block.held) {
      this.#heldChars += event.raw.length;
      if (this.#heldChars > MAX_HELD)
        throw new WireFault(`its tool calls are longer than ${MAX_HELD} characters`);
      block.held.push(event);
      return '';
    }
    return data.index === block.index ? event.raw : sse(event.event, { ...data, index: block.index });
  }

  endRound(): RoundEnd {
    const blocks = [...this.#blocks.values()];
    return {
      calls: blocks.flatMap((block) => (isSpeech(block.start.type) ? [] : [callOf(block.start, block.json)])),
      usage: useOf(this.#usage),
      model: this.#model,
      complete: this.#stopRaw !== null && !this.#failed,
      said: [{ role: 'assistant', content: blocks.map(said).filter(isMeaningful) }],
      text: blocks.map(({ text, json }) => text + json).join('\n'),
    };
  }

  nextRound(): string {
    const speech = [...this.#blocks.values()].filter(({ start }) => isSpeech(start.type));
    const out = speech.map((block) => this.#release(block)).join('');
    const parts = speech.map(said);
    this.hiddenParts.push(...parts);
    this.#visible.push(...parts);
    this.#usages.push(this.#usage);
    this.#blocks = new Map();
    this.#usage = {};
    this.#ending = null;
    this.#stopRaw = null;
    this.#heldChars = 0;
    return out;
  }

  /** Events of a held block at its place in the visible answer. */
  #release(block: Block): string {
    if (!block.held) return '';
    block.index = this.#next++;
    return block.held
      .map((event) => {
        // As it was read and judged: of a key that comes twice another reader might take the other one.
        const data = JSON.parse(event.data) as JsonObject;
        return sse(event.event, { ...data, index: block.index });
      })
      .join('');
  }

  #refusal(text: string): string {
    const index = this.#next++;
    this.#visible.push({ type: 'text', text });
    return (
      sse('content_block_start', {
        type: 'content_block_start',
        index,
        content_block: { type: 'text', text: '' },
      }) +
      sse('content_block_delta', {
        type: 'content_block_delta',
        index,
        delta: { type: 'text_delta', text },
      }) +
      sse('content_block_stop', { type: 'content_block_stop', index })
    );
  }

  finish(verdicts: readonly Verdict[]): string {
    let out = '';
    let [at, left] = [0, 0];
    for (const block of this.#blocks.values()) {
      const verdict = isSpeech(block.start.type) ? null : (verdicts[at++] ?? null);
      const isCall = !isSpeech(block.start.type);
      if (isCall && !verdict?.allowed) {
        out += this.#refusal(
          verdict && !verdict.allowed ? verdict.text : 'Refused: this call was not judged.',
        );
        continue;
      }
      out += this.#release(block);
      this.#visible.push(said(block));
      if (isCall) left += 1;
    }
    return out + this.#end(left);
  }

  #end(callsLeft: number): string {
    const ending: JsonObject = this.#ending ?? { type: 'message_delta', delta: { stop_reason: null } };
    const delta = isObject(ending.delta) ? ending.delta : {};
    const reason = stopReason(delta.stop_reason, callsLeft);
    const stop = this.#stopRaw ?? sse('message_stop', { type: 'message_stop' });
    if (this.#usages.length === 0 && reason === (delta.stop_reason ?? null) && this.#ending)
      return this.#endingRaw + stop;
    const usage = this.#usages.length === 0 ? ending.usage : sumUsage([...this.#usages, this.#usage]);
    const whole: Draft = { ...ending, delta: { ...delta, stop_reason: reason } };
    if (usage !== undefined) whole.usage = usage;
    return sse('message_delta', whole) + stop;
  }

  fail(message: string): string {
    return sse('error', { type: 'error', error: { type: 'api_error', message } });
  }

  anchors(): string[] {
    return anchorsOf([...this.#visible]);
  }

  ids(): null {
    return null;
  }
}
