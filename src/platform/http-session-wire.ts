import type { IncomingMessage, ServerResponse } from 'node:http';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import type { JsonObject, JsonValue } from '../core/json.ts';
import { newUuid } from './clock.ts';
import { RecentEvents } from './event-store.ts';
import { challengeIn } from './http-challenge.ts';
import { HeldResponse } from './http-held-response.ts';
import type { ProtectedServer } from './http-protected.ts';
import type { Wire, WireHandlers } from './wire.ts';

/** How much may wait for a client that does not read before it is given up, in bytes. */
const MAX_UNREAD = 64 << 20;
/** When a client that lost its stream is to come back, in milliseconds. */
const RETRY_MS = 1_000;

/** A request of the client whose answer may be that its authorization does not suffice. */
interface Waiting {
  readonly request: IncomingMessage;
  readonly held: HeldResponse;
}

/** One client's session: the official server transport as a wire. */
export class HttpSessionWire implements Wire {
  readonly transport: StreamableHTTPServerTransport;
  authorization: string | null = null;
  readonly #waiting = new Map<unknown, Waiting>();
  #hasServed = false;
  #handlers: WireHandlers | null = null;
  #closed = false;
  #unread = 0;
  #open = 0;
  #lastSeen = Date.now();

  constructor(
    begun: (wire: HttpSessionWire, id: string) => void,
    ended: (wire: HttpSessionWire) => void,
    /** The server that the client's own authorization is for. */
    private readonly behind: ProtectedServer | null,
  ) {
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

  /** Notes a request with its id, and counts what is taken off the stream of its response. */
  follow(request: IncomingMessage, response: ServerResponse, id: unknown): void {
    this.#open += 1;
    if (this.behind) this.authorization = request.headers.authorization ?? null;
    if (this.behind && id !== undefined) this.#waiting.set(id, { request, held: new HeldResponse(response) });
    response.once('close', () => {
      this.#waiting.delete(id);
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
    this.#settle(message as JsonObject, about);
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

  /** What is sent for a request decides what becomes of its response. */
  #settle({ id, method, error }: JsonObject, about: string | number | undefined): void {
    const key = method === undefined ? id : about;
    const waiting = this.#waiting.get(key);
    this.#waiting.delete(key);
    const challenge = challengeIn(error);
    if (!challenge || !waiting || !this.behind) {
      waiting?.held.release();
      this.#hasServed = true;
      return;
    }
    const headers = this.behind.headersFor(challenge, waiting.request);
    waiting.held.deny(challenge.status, headers, JSON.stringify({ jsonrpc: '2.0', id: null, error }));
    // The client starts again with its token, because it never learnt of this session.
    if (!this.#hasServed) setImmediate(() => void this.close());
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
