import { canonicalJson, isObject, type JsonObject, wellFormed } from '../../core/json.ts';
import { exactly, repeatsKey, writeExact } from '../../models/exact-json.ts';
import { type AskedCall, WireFault } from '../../models/shapes.ts';
import { sumUsage } from '../../models/sum-usage.ts';
import type { Answer, RoundEnd, Verdict } from './wire.ts';

/** What a refused call is replaced by when nobody judged it. */
export const UNJUDGED = 'Refused: this call was not judged.';

/** The refusal that a verdict gives; null where the call may come out. */
export function refusalOf(verdict: Verdict | undefined): string | null {
  if (verdict?.allowed) return null;
  return verdict ? verdict.text : UNJUDGED;
}

/** A refusal after text that was said before it. */
export function afterText(before: string, refusal: string): string {
  return before === '' || before.endsWith('\n\n') ? refusal : `\n\n${refusal}`;
}

/** What a protocol finds in one response. */
export type ReadRound = Pick<RoundEnd, 'usage' | 'said'> & { readonly calls: readonly AskedCall[] };

/** An answer in one piece: nothing of it goes on before all of it is judged. */
export abstract class WholeAnswer implements Answer {
  /** Nothing tells its end but the end of its bytes. */
  readonly over = false;
  readonly hiddenParts: JsonObject[] = [];
  readonly #usages: JsonObject[] = [];
  /** Where a response has its usage and the name of its model. */
  protected readonly usageKey: string = 'usage';
  protected readonly modelKey: string = 'model';
  #text = '';
  #judged: JsonObject = {};
  protected first: JsonObject = {};
  /** The present round as it goes on, numbers as they were written. */
  protected whole: JsonObject = {};

  /** Reads a response. Throws a WireFault on what is none, and on a call where none belongs. */
  protected abstract read(response: JsonObject): ReadRound;
  /** Parts of the present round that the client is shown though the round stays hidden. */
  protected abstract shown(): readonly JsonObject[];
  /** The response for the client, refused calls replaced. */
  protected abstract write(verdicts: readonly Verdict[]): JsonObject;
  abstract anchors(): string[];

  /** Nothing of it is out before its end, so that a failure is an answer of its own. */
  fail(): string {
    return '';
  }

  ids(): { readonly shown: string; readonly real: string } | null {
    return null;
  }

  take(text: string): string {
    this.#text += text;
    return '';
  }

  endRound(): RoundEnd {
    let judged: unknown;
    try {
      judged = JSON.parse(this.#text);
    } catch {
      throw new WireFault('its body is not JSON');
    }
    if (!isObject(judged)) throw new WireFault('its body is no JSON object');
    const isFirst = this.#usages.length === 0;
    this.#judged = judged;
    this.whole = exactly(this.#text, judged);
    if (isFirst) this.first = this.whole;
    const model = judged[this.modelKey];
    return {
      ...this.read(judged),
      model: typeof model === 'string' ? model : null,
      complete: true,
      text: this.#text,
    };
  }

  nextRound(): string {
    this.hiddenParts.push(...this.shown());
    this.#usages.push(this.#usage);
    this.#text = '';
    return '';
  }

  get #usage(): JsonObject {
    const usage = this.whole[this.usageKey];
    return isObject(usage) ? usage : {};
  }

  /** What the client gets: the upstream's own bytes where nothing was changed and no key could be read in two ways. */
  finish(verdicts: readonly Verdict[]): string {
    const written = this.write(verdicts);
    const isAlone = this.#usages.length === 0;
    const answer = isAlone
      ? written
      : { ...written, [this.usageKey]: sumUsage([...this.#usages, this.#usage]) };
    const isSame = isAlone && canonical(answer) === canonical(this.whole);
    return isSame && !repeatsKey(this.#text, this.#judged) ? this.#text : writeExact(answer);
  }
}

function canonical(value: JsonObject): string {
  return canonicalJson(wellFormed(value));
}

/** Elements of a list off the wire that must all be objects. Throws a WireFault otherwise. */
export function objectsIn(list: unknown, what: string): readonly JsonObject[] {
  if (!Array.isArray(list) || !list.every(isObject)) throw new WireFault(`it is no ${what}`);
  return list;
}
