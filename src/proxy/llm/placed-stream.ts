import { isObject, type JsonObject } from '../../core/json.ts';
import { type AskedCall, WireFault } from '../../models/shapes.ts';
import type { SseEvent } from '../../models/sse.ts';
import { StreamedAnswer } from './stream-base.ts';
import { refusalOf } from './whole-answer.ts';
import type { Verdict } from './wire.ts';

/** A part of an answer (a block, an item) of the present round. */
export interface Part {
  readonly begun: JsonObject;
  readonly isCall: boolean;
  /** Events that wait for a verdict; null when the part streams. */
  readonly held: { readonly data: JsonObject; readonly event: SseEvent }[] | null;
  /** Place in the visible answer, once it has one. */
  index: number;
}

/**
 * A stream whose parts have places. Speech goes on as it comes; from the first call on everything waits for the end of
 * the response, when its usage is known and its calls are judged, so that no part changes its place.
 */
export abstract class PlacedStream<P extends Part> extends StreamedAnswer {
  protected parts = new Map<number, P>();
  protected readonly visible: JsonObject[] = [];
  /** The next free place in the visible answer. */
  protected next = 0;

  protected abstract isSpeech(begun: JsonObject): boolean;
  protected abstract make(part: Part): P;
  /** A part as history has it. */
  protected abstract said(part: P): JsonObject;
  protected abstract asked(part: P): AskedCall;
  /** An event at its place; the bytes that came where they are right. */
  protected abstract placed(data: JsonObject, event: SseEvent, index: number): string;
  /** The same, always written anew: of a key that comes twice another reader might take the other value. */
  protected abstract rewritten(data: JsonObject, event: SseEvent, index: number): string;
  protected abstract refuse(text: string): string;
  /** What follows the last part. */
  protected abstract end(callsLeft: number): string;

  protected begin(place: unknown, begun: unknown): P {
    const at = Number(place);
    if (!isObject(begun) || !Number.isSafeInteger(at))
      throw new WireFault('a part of it begins without its content');
    if (this.parts.has(at)) throw new WireFault(`part ${at} of it begins twice`);
    const isCall = !this.isSpeech(begun);
    const isHeld = isCall || [...this.parts.values()].some(({ held }) => held !== null);
    const part = this.make({
      begun,
      isCall,
      held: isHeld ? [] : null,
      index: isHeld ? -1 : this.next++,
    });
    this.parts.set(at, part);
    return part;
  }

  protected partAt(place: unknown): P {
    const part = this.parts.get(Number(place));
    if (!part) throw new WireFault(`part ${String(place)} of it was never begun`);
    return part;
  }

  protected pass(part: P, data: JsonObject, event: SseEvent): string {
    if (!part.isCall) this.unjudged(event);
    if (!part.held) return this.placed(data, event, part.index);
    this.hold(event.raw.length);
    part.held.push({ data, event });
    return '';
  }

  protected get calls(): AskedCall[] {
    return [...this.parts.values()].flatMap((part) => (part.isCall ? [this.asked(part)] : []));
  }

  /** A part at its place in the visible answer; its events too, when they were kept back. */
  protected release(part: P): string {
    this.visible.push(this.said(part));
    if (!part.held) return '';
    part.index = this.next++;
    return part.held.map(({ data, event }) => this.rewritten(data, event, part.index)).join('');
  }

  protected hide(): string {
    let out = '';
    for (const part of this.parts.values()) {
      if (part.isCall) continue;
      out += this.release(part);
      this.hiddenParts.push(this.said(part));
    }
    return out;
  }

  protected forget(): void {
    this.parts = new Map();
  }

  finish(verdicts: readonly Verdict[]): string {
    let out = '';
    let [at, left] = [0, 0];
    for (const part of this.parts.values()) {
      const refusal = part.isCall ? refusalOf(verdicts[at++]) : null;
      out += refusal === null ? this.release(part) : this.refuse(refusal);
      if (part.isCall && refusal === null) left += 1;
    }
    return out + this.end(left);
  }
}
