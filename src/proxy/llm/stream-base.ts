import { isObject, type JsonObject } from '../../core/json.ts';
import { WireFault } from '../../models/shapes.ts';
import { type SseEvent, SseReader } from '../../models/sse.ts';
import { sumUsage } from '../../models/sum-usage.ts';
import type { Answer, RoundEnd, Verdict } from './wire.ts';

/** Most that is kept back of one answer, in characters. */
const MAX_HELD = 32 << 20;

/** An answer in server-sent events. Each protocol knows its events; how they are framed, held and summed is here. */
export abstract class StreamedAnswer implements Answer {
  readonly hiddenParts: JsonObject[] = [];
  /** Usage of the rounds that stay hidden. */
  protected readonly usages: JsonObject[] = [];
  protected failed = false;
  readonly #sse = new SseReader();
  #held = 0;

  abstract get over(): boolean;
  /** Usage that the present round has reported. */
  protected abstract get usage(): JsonObject | null;
  /** Finds what must not stand in an event that goes on unjudged. */
  protected abstract asks(raw: string): boolean;
  /** Takes an event of the present round; gives what may go on. */
  protected abstract read(data: JsonObject, event: SseEvent): string;
  /** Puts away the present round's speech as hidden parts; gives what of it still has to go on. */
  protected abstract hide(): string;
  /** Forgets the present round. */
  protected abstract forget(): void;
  abstract endRound(): RoundEnd;
  abstract finish(verdicts: readonly Verdict[]): string;
  abstract fail(message: string): string;
  abstract anchors(): string[];

  /** The sign that some protocols end with. */
  protected done(): void {}

  ids(): { readonly shown: string; readonly real: string } | null {
    return null;
  }

  take(text: string): string {
    let out = '';
    for (const event of this.#sse.push(text)) out += this.#one(event);
    return out;
  }

  #one(event: SseEvent): string {
    if (this.over) return '';
    if (event.data === '') return event.raw;
    if (event.data === '[DONE]') {
      this.done();
      return '';
    }
    let data: unknown;
    try {
      data = JSON.parse(event.data);
    } catch {
      throw new WireFault('an event of the stream is not JSON');
    }
    if (!isObject(data)) throw new WireFault('an event of the stream is not a JSON object');
    return this.read(data, event);
  }

  /** An event that goes on as it came. */
  protected unjudged(event: SseEvent): string {
    if (this.asks(event.raw)) throw new WireFault('a call hides in another place');
    return event.raw;
  }

  /** Counts what is kept back. */
  protected hold(chars: number): void {
    this.#held += chars;
    if (this.#held > MAX_HELD) throw new WireFault(`its tool calls are longer than ${MAX_HELD} characters`);
  }

  nextRound(): string {
    const out = this.hide();
    this.usages.push(this.usage ?? {});
    this.#held = 0;
    this.forget();
    return out;
  }

  /** Usage of all rounds; the upstream's own object where there was one round. */
  protected get summed(): JsonObject | null {
    return this.usages.length === 0 ? this.usage : sumUsage([...this.usages, this.usage ?? {}]);
  }
}
