import { isObject, type JsonObject, type JsonValue } from '../../../core/json.ts';
import { asksUnderKey, callOf, finishReason, LEGACY_CALL, useOf } from '../../../models/chat/calls.ts';
import { type Draft, WireFault } from '../../../models/shapes.ts';
import { afterText, objectsIn, type ReadRound, refusalOf, WholeAnswer } from '../whole-answer.ts';
import type { Verdict } from '../wire.ts';
import { anchorsOf } from './history.ts';

function messageOf(completion: JsonObject): JsonObject {
  const [choice] = completion.choices as readonly JsonObject[];
  return isObject(choice?.message) ? choice.message : {};
}

function callsOf({ tool_calls: calls }: JsonObject): readonly JsonValue[] {
  return Array.isArray(calls) ? calls : [];
}

/** A chat completion in one piece. Its first choice is judged; no other one may ask for a tool. */
export class ChatBody extends WholeAnswer {
  #visible: JsonObject = {};

  protected read(completion: JsonObject): ReadRound {
    const [choice, ...others] = objectsIn(completion.choices, 'completion');
    if (!choice) throw new WireFault('it is no completion');
    const message = messageOf(completion);
    const { tool_calls: _, function_call: legacy, ...speech } = message;
    const rest = { ...completion, choices: [{ ...choice, message: speech }, ...others] };
    if (asksUnderKey(rest)) throw new WireFault('a call hides in another place');
    const calls = callsOf(message);
    return {
      calls: [
        ...calls.map((call) => callOf(isObject(call) ? call : {})),
        ...(legacy === undefined || legacy === null ? [] : [LEGACY_CALL]),
      ],
      usage: useOf(completion.usage),
      said: [
        {
          role: 'assistant',
          content: message.content ?? null,
          ...(calls.length > 0 ? { tool_calls: calls } : {}),
        },
      ],
    };
  }

  protected shown(): readonly JsonObject[] {
    const { content } = messageOf(this.whole);
    return typeof content === 'string' && content !== '' ? [{ type: 'text', text: content }] : [];
  }

  protected write(verdicts: readonly Verdict[]): JsonObject {
    const { tool_calls: calls, function_call: _, ...rest } = messageOf(this.whole);
    let text = this.hiddenParts.map((part) => String(part.text)).join('');
    if (typeof rest.content === 'string') text += rest.content;
    const left: JsonValue[] = [];
    for (const [at, verdict] of verdicts.entries()) {
      const call = callsOf({ tool_calls: calls })[at];
      const refusal = refusalOf(call === undefined && verdict.allowed ? undefined : verdict);
      if (refusal === null) left.push(call as JsonValue);
      else text += afterText(text, refusal);
    }
    const message: Draft = { ...rest, content: text === '' ? (rest.content ?? null) : text };
    if (left.length > 0) message.tool_calls = left;
    this.#visible = message;
    const [choice, ...others] = this.whole.choices as readonly JsonObject[];
    const finish_reason = finishReason(choice?.finish_reason, left.length);
    return {
      ...this.whole,
      id: this.first.id,
      choices: [{ ...choice, message, finish_reason }, ...others],
    };
  }

  anchors(): string[] {
    return anchorsOf(this.#visible);
  }
}
