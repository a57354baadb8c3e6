import { isObject, type JsonObject } from '../../../core/json.ts';
import {
  asksForCall,
  callOf,
  isSpeech,
  refusalItem,
  restoreEcho,
  useOf,
} from '../../../models/responses/items.ts';
import { sayable } from '../../../models/responses/said.ts';
import { WireFault } from '../../../models/shapes.ts';
import { objectsIn, type ReadRound, refusalOf, WholeAnswer } from '../whole-answer.ts';
import type { Verdict } from '../wire.ts';
import { anchorsOf } from './history.ts';

/** A response in one piece. */
export class ResponsesBody extends WholeAnswer {
  #own: readonly JsonObject[] = [];

  constructor(private readonly asked: JsonObject) {
    super();
  }

  protected read(response: JsonObject): ReadRound {
    const items = objectsIn(response.output, 'response');
    if (asksForCall(JSON.stringify({ ...response, output: items.filter(isSpeech) })))
      throw new WireFault('a call hides in another place');
    return {
      calls: items.filter((item) => !isSpeech(item)).map(callOf),
      usage: useOf(response.usage),
      said: sayable(items, this.asked),
    };
  }

  get #items(): readonly JsonObject[] {
    return this.whole.output as readonly JsonObject[];
  }

  protected shown(): readonly JsonObject[] {
    return this.#items.filter(isSpeech);
  }

  protected write(verdicts: readonly Verdict[]): JsonObject {
    let at = 0;
    this.#own = this.#items.map((item, place) => {
      const text = isSpeech(item) ? null : refusalOf(verdicts[at++]);
      return text === null ? item : refusalItem(`msg_pactclaw_${String(this.first.id)}_${place}`, text);
    });
    const output = [...this.hiddenParts, ...this.#own];
    const text = output.flatMap(({ type, content }) =>
      type === 'message' && Array.isArray(content)
        ? content.flatMap((part) =>
            isObject(part) && part.type === 'output_text' ? [String(part.text)] : [],
          )
        : [],
    );
    return {
      ...restoreEcho(this.whole, this.asked),
      id: this.first.id,
      output,
      ...(this.whole.output_text === undefined ? {} : { output_text: text.join('') }),
    };
  }

  anchors(): string[] {
    return anchorsOf(this.#own);
  }

  override ids(): { readonly shown: string; readonly real: string } | null {
    const [shown, real] = [this.first.id, this.whole.id];
    return typeof shown === 'string' && typeof real === 'string' ? { shown, real } : null;
  }
}
