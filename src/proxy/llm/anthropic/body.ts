import { isObject, type JsonObject, type JsonValue } from '../../../core/json.ts';
import { sumUsage } from '../sum-usage.ts';
import { type Answer, type RoundEnd, type Verdict, WireFault } from '../wire.ts';
import { callOf, isSpeech, stopReason, useOf } from './blocks.ts';
import { anchorsOf } from './history.ts';

function usageOf(message: JsonObject | null): JsonObject {
  return isObject(message?.usage) ? message.usage : {};
}

/** An answer of Anthropic Messages in one piece. */
export class AnthropicBody implements Answer {
  readonly #hidden: JsonObject[] = [];
  /** Nothing of it tells but the end of its bytes. */
  readonly over = false;
  readonly hiddenParts: JsonObject[] = [];
  #visible: JsonValue[] = [];
  #text = '';
  #first: JsonObject | null = null;
  #message: JsonObject | null = null;

  take(text: string): string {
    this.#text += text;
    return '';
  }

  #blocks(): readonly JsonObject[] {
    const content = this.#message?.content;
    return Array.isArray(content) ? content.filter(isObject) : [];
  }

  endRound(): RoundEnd {
    let message: unknown;
    try {
      message = JSON.parse(this.#text);
    } catch {
      throw new WireFault('its body is not JSON');
    }
    if (!isObject(message) || !Array.isArray(message.content)) throw new WireFault('it is no message');
    this.#message = message;
    this.#first ??= message;
    const blocks = this.#blocks();
    return {
      calls: blocks.flatMap((block) => (isSpeech(block.type) ? [] : [callOf(block, '')])),
      usage: useOf(usageOf(message)),
      model: typeof message.model === 'string' ? message.model : null,
      complete: true,
      said: [{ role: 'assistant', content: message.content }],
      text: this.#text,
    };
  }

  nextRound(): string {
    this.#hidden.push(usageOf(this.#message));
    this.hiddenParts.push(...this.#blocks().filter(({ type }) => isSpeech(type)));
    this.#text = '';
    return '';
  }

  finish(verdicts: readonly Verdict[]): string {
    let [at, left] = [0, 0];
    const own = this.#blocks().map((block): JsonValue => {
      if (isSpeech(block.type)) return block;
      const verdict = verdicts[at++];
      if (verdict?.allowed) {
        left += 1;
        return block;
      }
      return { type: 'text', text: verdict ? verdict.text : 'Refused: this call was not judged.' };
    });
    this.#visible = [...this.hiddenParts, ...own];
    return JSON.stringify({
      ...this.#message,
      id: this.#first?.id,
      content: this.#visible,
      stop_reason: stopReason(this.#message?.stop_reason, left),
      usage:
        this.#hidden.length === 0
          ? this.#message?.usage
          : sumUsage([...this.#hidden, usageOf(this.#message)]),
    });
  }

  fail(message: string): string {
    return JSON.stringify({ type: 'error', error: { type: 'api_error', message } });
  }

  anchors(): string[] {
    return anchorsOf(this.#visible);
  }

  ids(): null {
    return null;
  }
}
