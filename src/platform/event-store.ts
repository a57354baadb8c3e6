import type { EventStore } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';

interface Kept {
  readonly id: string;
  readonly stream: string;
  readonly message: JSONRPCMessage;
  readonly size: number;
}

/** What of one session is kept for a client that lost its stream, in events and in characters of JSON. */
const MAX_EVENTS = 1_000;
const MAX_SIZE = 8 << 20;

/**
 * The last events of one session, for a client that comes back with Last-Event-ID (specification 2025-11-25,
 * Transports: Resumability). Older ones are forgotten; a client that asks for those gets what is left.
 */
export class RecentEvents implements EventStore {
  #events: Kept[] = [];
  #size = 0;
  #next = 0;

  async storeEvent(stream: string, message: JSONRPCMessage): Promise<string> {
    this.#next += 1;
    const kept = { id: `${this.#next}-${stream}`, stream, message, size: JSON.stringify(message).length };
    this.#events.push(kept);
    this.#size += kept.size;
    while (this.#events.length > MAX_EVENTS || (this.#size > MAX_SIZE && this.#events.length > 1))
      this.#size -= this.#events.shift()?.size ?? 0;
    return kept.id;
  }

  async getStreamIdForEventId(id: string): Promise<string | undefined> {
    return /^\d+-(.+)$/s.exec(id)?.[1];
  }

  async replayEventsAfter(
    lastId: string,
    { send }: { readonly send: (id: string, message: JSONRPCMessage) => Promise<void> },
  ): Promise<string> {
    const [, after = '0', stream = ''] = /^(\d+)-(.+)$/s.exec(lastId) ?? [];
    for (const event of [...this.#events]) {
      // The event that opens a stream has no message.
      if (event.stream !== stream || Number.parseInt(event.id, 10) <= Number(after)) continue;
      if (Object.keys(event.message).length > 0) await send(event.id, event.message);
    }
    return stream;
  }
}
