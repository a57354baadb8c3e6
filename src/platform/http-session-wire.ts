import type { ServerResponse } from 'node:http';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import type { JsonValue } from '../core/json.ts';
import { newUuid } from './clock.ts';
import { RecentEvents } from './event-store.ts';
import type { Wire, WireHandlers } from './wire.ts';

/** How much may wait for a client that does not read before it is given up, in bytes. */
const MAX_UNREAD = 64 << 20;
/** When a client that lost its stream is to come back, in milliseconds. */
const RETRY_MS = 1_000;

/** One client's session: the official server transport as a wire. */
export class HttpSessionWire implements Wire {
  readonly transport: StreamableHTTPServerTransport;
  #handlers: WireHandlers | null = null;
  #closed = false;
  #unread = 0;
  #open = 0;
  #lastSeen = Date.now();

  constructor(begun: (wire: HttpSessionWire, id: string) => void, ended: (wire: HttpSessionWire) => void) {
    this.transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: newUuid,
      eventStore: new RecentEvents(),
      retryInterval: RETRY_MS,
      onsessioninitialized: (id) => begun(this, id),
    });
    this.transport.onclose = () => {
      if (this.#closed) return;
      this.#closed = true;
      ended(this);
      this.#handlers?.closed('it ended the session');
    };
  }

  start(handlers: WireHandlers): void {
    this.#handlers = handlers;
    this.transport.onmessage = (message) => handlers.message(message as unknown as JsonValue);
  }

  /** Nobody has asked anything since then, and no stream is open. */
  isIdleSince(moment: number): boolean {
    return this.#open === 0 && this.#lastSeen < moment;
  }

  /** Notes a request, and counts what is taken off the stream of its response. */
  follow(response: ServerResponse): void {
    this.#open += 1;
    response.once('close', () => {
      this.#open -= 1;
      this.#lastSeen = Date.now();
    });
    const write = response.write.bind(response) as (...args: unknown[]) => boolean;
    response.write = ((chunk: unknown, ...rest: unknown[]) => {
      const size = typeof chunk === 'string' ? chunk.length : chunk instanceof Uint8Array ? chunk.length : 0;
      this.#unread = Math.max(0, this.#unread - size);
      return write(chunk, ...rest);
    }) as typeof response.write;
  }

  async send(message: object, about?: string | number): Promise<void> {
    this.#unread += JSON.stringify(message).length;
    if (this.#unread > MAX_UNREAD) {
      void this.transport.close();
      throw new Error('the client does not read what it is sent');
    }
    await this.transport.send(
      message as JSONRPCMessage,
      about === undefined ? {} : { relatedRequestId: about },
    );
  }

  get backlog(): number {
    return 0;
  }

  pause(): void {
    // Each request of the client waits by itself.
  }

  resume(): void {
    // Nothing was held up.
  }

  async close(): Promise<void> {
    await this.transport.close();
  }
}
