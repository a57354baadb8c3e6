import type { IncomingMessage, ServerResponse } from 'node:http';
import { isObject, type JsonObject, type JsonValue } from '../core/json.ts';
import { challengeIn } from './http-challenge.ts';
import type { ProtectedServer } from './http-protected.ts';
import type { Wire, WireHandlers } from './wire.ts';

/** Statuses of errors (specification 2026-07-28, Streamable HTTP); the others are answers like any. */
const STATUS: Readonly<Record<string, number>> = {
  '-32020': 400,
  '-32021': 400,
  '-32022': 400,
  '-32601': 404,
};
const SUBSCRIPTION = 'io.modelcontextprotocol/subscriptionId';
/** How much may wait for a client that does not read before it is given up, in bytes. */
const MAX_UNREAD = 64 << 20;
/** Most requests of one client that may wait at once. */
const MAX_OPEN = 256;

/** A request that was posted, and the response that waits. */
interface Posted {
  /** The client's own id: two of its requests may have the same. */
  readonly id: JsonValue;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** Requests of one client of the stateless protocol, each a POST of its own, as a wire. */
export class HttpStatelessWire implements Wire {
  readonly backlog = 0;
  readonly #posted = new Map<string, Posted>();
  #handlers: WireHandlers | null = null;
  #next = 0;
  #closed = false;
  #lastSeen = Date.now();

  constructor(
    private readonly ended: () => void,
    /** The server that the client's own authorization is for, and that authorization. */
    private readonly behind: ProtectedServer | null,
    readonly authorization: string | null,
  ) {}

  start(handlers: WireHandlers): void {
    this.#handlers = handlers;
  }

  /** Nobody has asked anything since then, and nothing is under way. */
  isIdleSince(moment: number): boolean {
    return this.#posted.size === 0 && this.#lastSeen < moment;
  }

  /** Takes one posted message; a notification is acknowledged at once. */
  take(message: JsonObject, request: IncomingMessage, response: ServerResponse): void {
    this.#lastSeen = Date.now();
    const { id } = message;
    if (id === undefined) {
      response.writeHead(202).end();
      // A request is taken back by closing its stream.
      if (message.method !== 'notifications/cancelled') this.#handlers?.message(message);
      return;
    }
    if (this.#posted.size >= MAX_OPEN) {
      response.writeHead(503).end();
      return;
    }
    this.#next += 1;
    const inner = `post-${this.#next}`;
    this.#posted.set(inner, { id, request, response });
    response.once('close', () => {
      this.#lastSeen = Date.now();
      if (!this.#posted.delete(inner)) return;
      this.#handlers?.message({
        jsonrpc: '2.0',
        method: 'notifications/cancelled',
        params: { requestId: inner },
      });
    });
    this.#handlers?.message({ ...message, id: inner });
  }

  send(message: object, about?: string | number): undefined {
    const { id, method, error } = message as JsonObject;
    const key = String(method === undefined ? id : about);
    const posted = this.#posted.get(key);
    if (!posted) return;
    if (method !== undefined) this.#event(posted, this.#ownIds(message as JsonObject, key, posted.id));
    else this.#finish(key, posted, { ...message, id: posted.id }, error);
  }

  /** A subscription is named by the id of the request that began it: the client knows only its own. */
  #ownIds(message: JsonObject, key: string, id: JsonValue): JsonObject {
    const { params } = message;
    const meta = isObject(params) && isObject(params._meta) ? params._meta : {};
    if (meta[SUBSCRIPTION] !== key) return message;
    return { ...message, params: { ...(params as JsonObject), _meta: { ...meta, [SUBSCRIPTION]: id } } };
  }

  #event({ response }: Posted, message: object): void {
    if (!response.headersSent)
      response.writeHead(200, {
        'content-type': 'text/event-stream',
        'cache-control': 'no-cache',
        'x-accel-buffering': 'no',
      });
    response.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
    if (response.writableLength > MAX_UNREAD) response.destroy();
  }

  #finish(key: string, posted: Posted, message: object, error: unknown): void {
    this.#posted.delete(key);
    const { request, response } = posted;
    const challenge = this.behind ? challengeIn(error) : null;
    // Another token is another client here.
    if (challenge) setImmediate(() => void this.close());
    if (response.headersSent) {
      this.#event(posted, message);
      response.end();
      return;
    }
    const status = challenge?.status ?? STATUS[String(isObject(error) ? error.code : undefined)] ?? 200;
    const demand = challenge ? this.behind?.headersFor(challenge, request) : {};
    response.writeHead(status, { ...demand, 'content-type': 'application/json' });
    response.end(JSON.stringify(message));
  }

  pause(): void {
    // Each request of the client waits by itself.
  }

  resume(): void {
    // Nothing was held up.
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    for (const { response } of this.#posted.values()) response.end();
    this.#posted.clear();
    this.ended();
    this.#handlers?.closed('it was closed');
  }
}
