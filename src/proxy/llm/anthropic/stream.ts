import { isObject, type JsonObject } from '../../../core/json.ts';
import { asksForCall, callOf, isSpeech, stopReason, useOf } from '../../../models/anthropic/blocks.ts';
import { type AskedCall, type Draft, WireFault } from '../../../models/shapes.ts';
import { type SseEvent, sse } from '../../../models/sse.ts';
import { type Part, PlacedStream } from '../placed-stream.ts';
import type { RoundEnd } from '../wire.ts';
import { anchorsOf } from './history.ts';

/** A block, and what its deltas brought. */
interface Block extends Part {
  json: string;
  text: string;
  signature: string;
  citations: JsonObject[];
}

/** A history with empty texts in it is refused by the provider. */
function isMeaningful(block: JsonObject): boolean {
  return block.type !== 'text' || block.text !== '';
}

/** A streamed answer of Anthropic Messages. */
export class AnthropicStream extends PlacedStream<Block> {
  #model: string | null = null;
  #begun = false;
  // Of the present round:
  #usage: JsonObject = {};
  #ending: JsonObject | null = null;
  #endingRaw = '';
  #stopRaw: string | null = null;

  get over(): boolean {
    return this.#stopRaw !== null;
  }

  protected get usage(): JsonObject {
    return this.#usage;
  }

  protected asks(raw: string): boolean {
    return asksForCall(raw);
  }

  protected isSpeech({ type }: JsonObject): boolean {
    return isSpeech(type);
  }

  protected make(part: Part): Block {
    return { ...part, json: '', text: '', signature: '', citations: [] };
  }

  protected read(data: JsonObject, event: SseEvent): string {
    switch (data.type) {
      case 'message_start':
        return this.#start(data, event);
      case 'content_block_start':
        return this.pass(this.begin(data.index, data.content_block), data, event);
      case 'content_block_delta':
        return this.#delta(data, event);
      case 'content_block_stop':
        return this.pass(this.partAt(data.index), data, event);
      case 'message_delta':
        if (isObject(data.usage)) this.#usage = { ...this.#usage, ...data.usage };
        this.#ending = data;
        this.#endingRaw = this.unjudged(event);
        return '';
      case 'message_stop':
        this.#stopRaw = this.unjudged(event);
        return '';
      case 'error':
        this.failed = true;
        return this.unjudged(event);
      default:
        return this.unjudged(event);
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
    return this.unjudged(event);
  }

  #delta(data: JsonObject, event: SseEvent): string {
    const block = this.partAt(data.index);
    const delta = isObject(data.delta) ? data.delta : {};
    if (typeof delta.partial_json === 'string') {
      if (block.begun.type === 'text' || block.begun.type === 'thinking')
        throw new WireFault('a block of text is given arguments');
      block.json += delta.partial_json;
    }
    if (typeof delta.text === 'string') block.text += delta.text;
    if (typeof delta.thinking === 'string') block.text += delta.thinking;
    if (typeof delta.signature === 'string') block.signature += delta.signature;
    if (isObject(delta.citation)) block.citations.push(delta.citation);
    return this.pass(block, data, event);
  }

  protected placed(data: JsonObject, event: SseEvent, index: number): string {
    return data.index === index ? event.raw : this.rewritten(data, event, index);
  }

  protected rewritten(data: JsonObject, event: SseEvent, index: number): string {
    return sse(event.event, { ...data, index });
  }

  protected asked({ begun, json }: Block): AskedCall {
    return callOf(begun, json);
  }

  protected said({ begun, text, signature, citations, json }: Block): JsonObject {
    if (begun.type === 'text')
      return {
        ...begun,
        text: `${String(begun.text ?? '')}${text}`,
        ...(citations.length > 0 ? { citations } : {}),
      };
    if (begun.type === 'thinking')
      return {
        ...begun,
        thinking: `${String(begun.thinking ?? '')}${text}`,
        signature: `${String(begun.signature ?? '')}${signature}`,
      };
    if (json === '') return begun;
    return { ...begun, input: callOf({ ...begun, type: 'tool_use' }, json).args ?? {} };
  }

  endRound(): RoundEnd {
    const blocks = [...this.parts.values()];
    return {
      calls: this.calls,
      usage: useOf(this.#usage),
      model: this.#model,
      complete: this.#stopRaw !== null && !this.failed,
      said: [{ role: 'assistant', content: blocks.map((block) => this.said(block)).filter(isMeaningful) }],
      text: blocks.map(({ text, json }) => text + json).join('\n'),
    };
  }

  protected override forget(): void {
    super.forget();
    this.#usage = {};
    this.#ending = null;
    this.#stopRaw = null;
  }

  protected refuse(text: string): string {
    const index = this.next++;
    this.visible.push({ type: 'text', text });
    const block = { type: 'text', text: '' };
    return (
      sse('content_block_start', { type: 'content_block_start', index, content_block: block }) +
      sse('content_block_delta', {
        type: 'content_block_delta',
        index,
        delta: { type: 'text_delta', text },
      }) +
      sse('content_block_stop', { type: 'content_block_stop', index })
    );
  }

  protected end(callsLeft: number): string {
    const ending: JsonObject = this.#ending ?? { type: 'message_delta', delta: { stop_reason: null } };
    const delta = isObject(ending.delta) ? ending.delta : {};
    const reason = stopReason(delta.stop_reason, callsLeft);
    const stop = this.#stopRaw ?? sse('message_stop', { type: 'message_stop' });
    const isAlone = this.usages.length === 0;
    if (isAlone && reason === (delta.stop_reason ?? null) && this.#ending) return this.#endingRaw + stop;
    const usage = isAlone ? ending.usage : this.summed;
    const whole: Draft = { ...ending, delta: { ...delta, stop_reason: reason } };
    if (usage !== undefined) whole.usage = usage;
    return sse('message_delta', whole) + stop;
  }

  fail(message: string): string {
    return sse('error', { type: 'error', error: { type: 'api_error', message } });
  }

  anchors(): string[] {
    return anchorsOf(this.visible);
  }
}
