import type { JsonObject } from '../../core/json.ts';

/**
 * An exchange between the model and PactClaw inside one answer of which the client saw only the rest: the model called
 * the handshake and was answered. Put back into later requests, so that the model keeps its memory.
 */
export interface HiddenExchange {
  /** Any of these in a message of the history marks the visible answer that the exchange belongs to. */
  readonly anchors: readonly string[];
  /** What was said and answered, in the protocol's own form. */
  readonly turns: readonly JsonObject[];
  /** Parts of the visible answer that `turns` hold already. */
  readonly shown: readonly JsonObject[];
}

const MAX_EXCHANGES = 32;
const MAX_CHARS = 1 << 20;

/** A session's hidden exchanges, bounded: what is dropped costs the model a memory and nothing else. */
export class HiddenMemory {
  #kept: { exchange: HiddenExchange; size: number }[] = [];
  #size = 0;

  get all(): readonly HiddenExchange[] {
    return this.#kept.map(({ exchange }) => exchange);
  }

  remember(exchange: HiddenExchange): void {
    const size = JSON.stringify(exchange).length;
    if (size > MAX_CHARS || exchange.anchors.length === 0) return;
    this.#kept.push({ exchange, size });
    this.#size += size;
    while (this.#kept.length > MAX_EXCHANGES || this.#size > MAX_CHARS)
      this.#size -= this.#kept.shift()?.size ?? 0;
  }
}
