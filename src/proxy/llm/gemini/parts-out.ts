import { isObject, type JsonObject } from '../../../core/json.ts';
import { asksForCall, callOf, isSpeech, listOf, partsOf, textOf } from '../../../models/gemini/parts.ts';
import { type AskedCall, WireFault } from '../../../models/shapes.ts';
import { afterText, refusalOf } from '../whole-answer.ts';
import type { Verdict } from '../wire.ts';
import { newId } from './history.ts';

/** The calls among parts; one that came without an id is given one, by which the client names its result. */
export function callsIn(parts: readonly JsonObject[]): AskedCall[] {
  return parts.flatMap((part) => (isSpeech(part) ? [] : [callOf(part, newId())]));
}

/** Throws a WireFault on a call anywhere but among the parts of the first candidate, which are judged. */
export function assertNoOther(response: JsonObject): void {
  const [first, ...others] = listOf(response.candidates);
  const speech = isObject(first?.content)
    ? { ...first, content: { ...first.content, parts: partsOf(first.content).filter(isSpeech) } }
    : (first ?? null);
  const isQuiet = others.every((one) => partsOf(one.content).every(isSpeech));
  if (!isQuiet || asksForCall(JSON.stringify({ ...response, candidates: [speech, ...others] })))
    throw new WireFault('a call hides in another place');
}

/**
 * Gives the parts of an answer, taken in their order, as the client gets them. `said`: what it has got before. Of several
 * calls only the first is signed (Gemini API, thought signatures), and the next request must bring the signature: when
 * that call is refused, the next one carries it.
 */
export function judging(
  calls: readonly AskedCall[],
  verdicts: readonly Verdict[],
  said: readonly JsonObject[],
): (parts: readonly JsonObject[]) => JsonObject[] {
  let at = 0;
  let spare: JsonObject = {};
  let before = textOf(said);
  const judged = (part: JsonObject): JsonObject => {
    if (isSpeech(part)) return part;
    const refusal = refusalOf(verdicts[at]);
    const call = calls[at++];
    const { functionCall, thoughtSignature } = part;
    if (refusal !== null || !isObject(functionCall)) {
      if (thoughtSignature !== undefined) spare = { thoughtSignature };
      return { text: afterText(before, refusal ?? '') };
    }
    const signed = { ...spare, ...part };
    spare = {};
    return functionCall.id === call?.id
      ? signed
      : { ...signed, functionCall: { ...functionCall, id: call?.id } };
  };
  return (parts) =>
    parts.map((part) => {
      const shown = judged(part);
      before += textOf([shown]);
      return shown;
    });
}
