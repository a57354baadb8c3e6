import type { JsonObject } from '../../../core/json.ts';
import { asksForCall, callOf, isSpeech, stopReason, useOf } from '../../../models/anthropic/blocks.ts';
import { WireFault } from '../../../models/shapes.ts';
import { objectsIn, type ReadRound, refusalOf, WholeAnswer } from '../whole-answer.ts';
import type { Verdict } from '../wire.ts';
import { anchorsOf } from './history.ts';

/** An answer of Anthropic Messages in one piece. */
export class AnthropicBody extends WholeAnswer {
  #visible: readonly JsonObject[] = [];

  protected read(message: JsonObject): ReadRound {
    const blocks = objectsIn(message.content, 'message');
    const speech = blocks.filter(({ type }) => isSpeech(type));
    if (asksForCall(JSON.stringify({ ...message, content: speech })))
      throw new WireFault('a call hides in another place');
    return {
      calls: blocks.flatMap((block) => (isSpeech(block.type) ? [] : [callOf(block, '')])),
      usage: useOf(message.usage),
      said: [{ role: 'assistant', content: blocks }],
    };
  }

  get #blocks(): readonly JsonObject[] {
    return this.whole.content as readonly JsonObject[];
  }

  protected shown(): readonly JsonObject[] {
    return this.#blocks.filter(({ type }) => isSpeech(type));
  }

  protected write(verdicts: readonly Verdict[]): JsonObject {
    let [at, left] = [0, 0];
    const own = this.#blocks.map((block): JsonObject => {
      if (isSpeech(block.type)) return block;
      const text = refusalOf(verdicts[at++]);
      if (text !== null) return { type: 'text', text };
      left += 1;
      return block;
    });
    this.#visible = [...this.hiddenParts, ...own];
    return {
      ...this.whole,
      id: this.first.id,
      content: this.#visible,
      stop_reason: stopReason(this.whole.stop_reason, left),
    };
  }

  anchors(): string[] {
    return anchorsOf(this.#visible);
  }
}
