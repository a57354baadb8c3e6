import { isObject, type JsonObject } from '../../../core/json.ts';
import { sumUsage } from '../sum-usage.ts';
import { type Answer, type RoundEnd, type Verdict, WireFault } from '../wire.ts';
import { anchorsOf } from './history.ts';
import { callOf, isSpeech, refusalItem, restoreEcho, useOf } from './items.ts';
import { sayable } from './said.ts';

/** A response in one piece. */
export class ResponsesBody implements Answer {
  readonly #usages: JsonObject[] = [];
  /** Nothing of it tells but the end of its bytes. */
  readonly over = false;
  readonly hiddenParts: JsonObject[] = [];
  #text = '';
  #first: JsonObject | null = null;
  #response: JsonObject = {};
  #own: JsonObject[] = [];

  constructor(private readonly asked: JsonObject) {}

  take(text: string): string {
    this.#text += text;
    return '';
  }

  get #items(): readonly JsonObject[] {
    return Array.isArray(this.#response.output) ? this.#response.output.filter(isObject) : [];
  }

  get #usage(): JsonObject | null {
    return isObject(this.#response.usage) ? this.#response.usage : null;
  }

  endRound(): RoundEnd {
    let response: unknown;
    try {
      response = JSON.parse(this.#text);
    } catch {
      throw new WireFault('its body is not JSON');
    }
    if (!isObject(response) || !Array.isArray(response.output)) throw new WireFault('it is no response');
    this.#response = response;
    this.#first ??= response;
    return {
      calls: this.#items.filter((item) => !isSpeech(item)).map(callOf),
      usage: useOf(this.#usage),
      model: typeof response.model === 'string' ? response.model : null,
      complete: true,
      said: sayable(this.#items, this.asked),
      text: this.#text,
    };
  }

  nextRound(): string {
    this.hiddenParts.push(...this.#items.filter(isSpeech));
    this.#usages.push(this.#usage ?? {});
    this.#text = '';
    return '';
  }

  finish(verdicts: readonly Verdict[]): string {
    let at = 0;
    this.#own = this.#items.map((item, place) => {
      if (isSpeech(item)) return item;
      const verdict = verdicts[at++];
      if (verdict?.allowed) return item;
      const text = verdict && !verdict.allowed ? verdict.text : 'Refused: this call was not judged.';
      return refusalItem(`msg_pactclaw_${String(this.#first?.id)}_${place}`, text);
    });
    const output = [...this.hiddenParts, ...this.#own];
    const text = output.flatMap(({ type, content }) =>
      type === 'message' && Array.isArray(content)
        ? content.flatMap((part) =>
            isObject(part) && part.type === 'output_text' ? [String(part.text)] : [],
          )
        : [],
    );
    return JSON.stringify({
      ...restoreEcho(this.#response, this.asked),
      id: this.#first?.id,
      output,
      ...(this.#response.output_text === undefined ? {} : { output_text: text.join('') }),
      usage: this.#usages.length === 0 ? this.#usage : sumUsage([...this.#usages, this.#usage ?? {}]),
    });
  }

  fail(message: string): string {
    return JSON.stringify({ error: { message, type: 'api_error', param: null, code: null } });
  }

  anchors(): string[] {
    return anchorsOf(this.#own);
  }

  ids(): { readonly shown: string; readonly real: string } | null {
    const [shown, real] = [this.#first?.id, this.#response.id];
    return typeof shown === 'string' && typeof real === 'string' ? { shown, real } : null;
  }
}
