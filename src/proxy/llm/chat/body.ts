import { isObject, type JsonObject, type JsonValue } from '../../../core/json.ts';
import { sumUsage } from '../sum-usage.ts';
import { type Answer, type AskedCall, type Draft, type RoundEnd, type Verdict, WireFault } from '../wire.ts';
import { afterText, callOf, finishReason, isOtherCase, useOf } from './calls.ts';
import { anchorsOf } from './history.ts';

/** A chat completion in one piece. */
export class ChatBody implements Answer {
  readonly #usages: JsonObject[] = [];
  /** Nothing of it tells but the end of its bytes. */
  readonly over = false;
  readonly hiddenParts: JsonObject[] = [];
  #text = '';
  #first: JsonObject | null = null;
  #whole: JsonObject = {};
  #choice: JsonObject = {};
  #visible: JsonObject = {};

  take(text: string): string {
    this.#text += text;
    return '';
  }

  get #message(): JsonObject {
    return isObject(this.#choice.message) ? this.#choice.message : {};
  }

  get #calls(): readonly JsonValue[] {
    return Array.isArray(this.#message.tool_calls) ? this.#message.tool_calls : [];
  }

  endRound(): RoundEnd {
    let whole: unknown;
    try {
      whole = JSON.parse(this.#text);
    } catch {
      throw new WireFault('its body is not JSON');
    }
    const choices = isObject(whole) && Array.isArray(whole.choices) ? whole.choices.filter(isObject) : [];
    const [choice, ...others] = choices;
    if (!isObject(whole) || !choice) throw new WireFault('it is no completion');
    for (const { message } of others)
      if (isObject(message) && (message.tool_calls !== undefined || message.function_call !== undefined))
        throw new WireFault('a second choice asks for a tool');
    for (const { message } of choices)
      if (isObject(message) && Object.keys(message).some(isOtherCase))
        throw new WireFault('a call comes under a key in another case');
    this.#whole = whole;
    this.#first ??= whole;
    this.#choice = choice;
    const legacy: AskedCall[] =
      this.#message.function_call === undefined || this.#message.function_call === null
        ? []
        : [
            {
              id: '',
              name: 'function_call',
              args: null,
              fault: 'it is a function_call, which is not governed here',
            },
          ];
    return {
      calls: [...this.#calls.map((call) => callOf(isObject(call) ? call : {})), ...legacy],
      usage: useOf(isObject(whole.usage) ? whole.usage : null),
      model: typeof whole.model === 'string' ? whole.model : null,
      complete: true,
      said: [
        {
          role: 'assistant',
          content: this.#message.content ?? null,
          ...(this.#calls.length > 0 ? { tool_calls: this.#calls } : {}),
        },
      ],
      text: this.#text,
    };
  }

  nextRound(): string {
    const { content } = this.#message;
    if (typeof content === 'string' && content !== '') this.hiddenParts.push({ type: 'text', text: content });
    this.#usages.push(isObject(this.#whole.usage) ? this.#whole.usage : {});
    this.#text = '';
    return '';
  }

  finish(verdicts: readonly Verdict[]): string {
    const { tool_calls: _, function_call: __, ...rest } = this.#message;
    let text = this.hiddenParts.map((part) => String(part.text)).join('');
    if (typeof rest.content === 'string') text += rest.content;
    const left: JsonValue[] = [];
    for (const [at, verdict] of verdicts.entries()) {
      const call = this.#calls[at];
      if (verdict.allowed && call !== undefined) left.push(call);
      else text += afterText(text, verdict.allowed ? 'Refused: this call was not judged.' : verdict.text);
    }
    const message: Draft = { ...rest, content: text === '' ? (rest.content ?? null) : text };
    if (left.length > 0) message.tool_calls = left;
    this.#visible = message;
    const choice = {
      ...this.#choice,
      message,
      finish_reason: finishReason(this.#choice.finish_reason, left.length),
    };
    const others = (Array.isArray(this.#whole.choices) ? this.#whole.choices : []).slice(1);
    const usage = isObject(this.#whole.usage) ? this.#whole.usage : {};
    return JSON.stringify({
      ...this.#whole,
      id: this.#first?.id,
      choices: [choice, ...others],
      ...(this.#usages.length > 0 ? { usage: sumUsage([...this.#usages, usage]) } : {}),
    });
  }

  fail(message: string): string {
    return JSON.stringify({ error: { message, type: 'api_error', param: null, code: null } });
  }

  anchors(): string[] {
    return anchorsOf(this.#visible);
  }

  ids(): null {
    return null;
  }
}
