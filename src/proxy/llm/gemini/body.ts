import { isObject, type JsonObject } from '../../../core/json.ts';
import { isSpeech, partsOf, useOf } from '../../../models/gemini/parts.ts';
import type { AskedCall } from '../../../models/shapes.ts';
import { objectsIn, type ReadRound, WholeAnswer } from '../whole-answer.ts';
import type { Verdict } from '../wire.ts';
import { anchorsOf } from './history.ts';
import { assertNoOther, callsIn, judging } from './parts-out.ts';

/** A response with other parts in its first candidate; where there is none it stays as it is. */
function withParts(response: JsonObject, parts: readonly JsonObject[]): JsonObject {
  const [first, ...others] = objectsIn(response.candidates ?? [], 'answer of generateContent');
  if (!first) return response;
  const content = isObject(first.content) ? first.content : { role: 'model' };
  if (parts.length === 0 && !Array.isArray(content.parts)) return response;
  return { ...response, candidates: [{ ...first, content: { ...content, parts: [...parts] } }, ...others] };
}

function partsIn(response: JsonObject): readonly JsonObject[] {
  return partsOf(objectsIn(response.candidates ?? [], 'answer of generateContent')[0]?.content);
}

/** An answer of generateContent in one piece. Its first candidate is judged; no other one may ask for a tool. */
export class GeminiBody extends WholeAnswer {
  protected override readonly usageKey = 'usageMetadata';
  protected override readonly modelKey = 'modelVersion';
  #calls: readonly AskedCall[] = [];
  #visible: readonly JsonObject[] = [];

  protected read(response: JsonObject): ReadRound {
    const parts = partsIn(response);
    assertNoOther(response);
    this.#calls = callsIn(parts);
    return {
      calls: this.#calls,
      usage: useOf(response.usageMetadata),
      said: [{ role: 'model', parts: [...parts] }],
    };
  }

  protected shown(): readonly JsonObject[] {
    return partsIn(this.whole).filter(isSpeech);
  }

  protected write(verdicts: readonly Verdict[]): JsonObject {
    this.#visible = [
      ...this.hiddenParts,
      ...judging(this.#calls, verdicts, this.hiddenParts)(partsIn(this.whole)),
    ];
    const answer = withParts(this.whole, this.#visible);
    const { responseId } = this.first;
    return responseId === undefined ? answer : { ...answer, responseId };
  }

  anchors(): string[] {
    return anchorsOf(this.#visible);
  }
}
