import { SSEClientTransport, SseError } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { messageOf } from '../core/errors.ts';
import type { JsonValue } from '../core/json.ts';
import { bounded, Gate } from './http-bounded.ts';
import { type Challenge, challengeError, challengeOf } from './http-challenge.ts';
import type { HeadersOf, Wire, WireHandlers } from './wire.ts';

/** The id of the request that a body of ours posts. */
function idIn(body: unknown): number | null {
  const match = typeof body === 'string' ? /^\{"jsonrpc":"2\.0","id":(\d+),"method"/.exec(body) : null;
  return match ? Number(match[1]) : null;
}

/** How long what was read last may take to be delivered, and a session to be given back, in milliseconds. */
const SETTLE_MS = 100;
const GOODBYE_MS = 2_000;
/** How long a server may take to name its endpoint, in milliseconds. */
const ENDPOINT_MS = 10_000;
/** Refusals of `initialize` by a server of the older transport (specification 2025-11-25, Backwards Compatibility). */
const OLDER = [400, 404, 405];

/**
 * A server behind streamable HTTP, or behind the HTTP with SSE of 2024-11-05 where that is refused, by the official client
 * transports. A session that the server has lost is `closed`.
 */
export class HttpWire implements Wire {
  readonly #gate = new Gate();
  #transport: StreamableHTTPClientTransport | SSEClientTransport;
  /** Ids of requests that the server has not answered. */
  readonly #awaited = new Set<unknown>();
  /** What the server demanded in place of an answer, by the request's id. */
  readonly #challenges = new Map<unknown, Challenge>();
  #handlers: WireHandlers | null = null;
  #headersOf: HeadersOf | null = null;
  #closed = false;

  constructor(
    private readonly url: string,
    private readonly headers: Readonly<Record<string, string>>,
    /** The client's own authorization, where it is for this server; what the server demands is then for the client. */
    private readonly credential: (() => string | null) | null = null,
  ) {
    this.#transport = new StreamableHTTPClientTransport(new URL(url), this.#init);
  }

  get #init() {
    return {
      requestInit: { headers: { ...this.headers } },
      fetch: (input: string | URL, init?: RequestInit) => this.#fetch(input, init),
    };
  }

  /** One request; the transport follows redirects within the server's origin only. */
  async #fetch(input: string | URL, init?: RequestInit): Promise<Response> {
    const response = await fetch(input, this.#authorized(this.#beside(init)));
    const id = idIn(init?.body);
    const challenge = this.credential ? challengeOf(response) : null;
    if (challenge && id !== null) this.#challenges.set(id, challenge);
    // In the older transport answers come on the one stream, not in the response to the request.
    const answered = this.#transport instanceof SSEClientTransport ? null : id;
    return this.#bounded(await this.#answered(response), answered);
  }

  #bounded(response: Response, id: number | null): Response {
    if (!response.body) return response;
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false;
    const ended = (canResume: boolean) => {
      if (id !== null && !canResume) setTimeout(() => this.#unanswered(id), SETTLE_MS).unref();
    };
    const { status, statusText, headers } = response;
    const body = bounded(response.body, this.#gate, isStream, ended);
    return new Response(body, { status, statusText, headers });
  }

  /** The stream that would have brought an answer has ended without it. */
  #unanswered(id: number): void {
    if (!this.#awaited.delete(id) || this.#closed) return;
    const error = { code: -32001, message: 'the server closed the connection without an answer' };
    this.#handlers?.message({ jsonrpc: '2.0', id, error });
  }

  start(handlers: WireHandlers): void {
    this.#handlers = handlers;
    this.#listen(handlers);
    void this.#transport.start();
  }

  #listen(handlers: WireHandlers): void {
    this.#transport.onmessage = (message) => {
      if (!('method' in message)) this.#awaited.delete(message.id);
      handlers.message(message as unknown as JsonValue);
    };
    // Failures of a request reach who sent it; a stream is resumed by the transport until it gives up.
    this.#transport.onerror = (error) => {
      const isOver = error instanceof SseError || error.message.startsWith('Maximum reconnection attempts');
      if (isOver) this.#fail('the connection was lost');
    };
  }

  /** Goes on by the older transport. Returns false if the server does not speak it. */
  async #fallBack(message: object): Promise<boolean> {
    const older = new SSEClientTransport(new URL(this.url), this.#init);
    const newer = this.#transport;
    const late = new Promise<boolean>((resolve) => setTimeout(() => resolve(false), ENDPOINT_MS).unref());
    this.#transport = older;
    const isThere = older.start().then(
      () => true,
      () => false,
    );
    if (!(await Promise.race([isThere, late])) || this.#closed) {
      this.#transport = newer;
      await older.close();
      return false;
    }
    if (this.#handlers) this.#listen(this.#handlers);
    await newer.close();
    await older.send(message as JSONRPCMessage);
    return true;
  }

  async send(message: object): Promise<void> {
    if ('method' in message && 'id' in message) this.#awaited.add(message.id);
    try {
      await this.#transport.send(message as JSONRPCMessage);
    } catch (error) {
      if ('id' in message) {
        this.#awaited.delete(message.id);
        const challenge = this.#challenges.get(message.id);
        if (challenge && this.#challenges.delete(message.id)) {
          const id = message.id as number;
          this.#handlers?.message({ jsonrpc: '2.0', id, error: challengeError(challenge) });
          return;
        }
      }
      const code = error instanceof Error && 'code' in error ? error.code : undefined;
      const isFirst = 'method' in message && message.method === 'initialize';
      if (isFirst && OLDER.includes(code as number) && (await this.#fallBack(message))) return;
      const cause = error instanceof Error && error.cause instanceof Error ? ` (${error.cause.message})` : '';
      const why = `${messageOf(error)}${cause}`.slice(0, 500);
      // 404: the server knows the session no more (specification 2025-11-25, Session Management).
      if (code === 404) this.#fail('it has lost the session');
      else if (code === undefined) this.#fail(why);
      throw new Error(why);
    }
  }

  get backlog(): number {
    return 0;
  }

  speaks(version: string, headersOf?: HeadersOf): void {
    this.#transport.setProtocolVersion(version);
    this.#headersOf = headersOf ?? null;
  }

  /** The request with the headers that its message wants. */
  #beside(init: RequestInit | undefined): RequestInit | undefined {
    if (!this.#headersOf || typeof init?.body !== 'string') return init;
    const headers = new Headers(init.headers);
    for (const [name, value] of Object.entries(this.#headersOf(JSON.parse(init.body))))
      headers.set(name, value);
    return { ...init, headers };
  }

  #authorized(init: RequestInit | undefined): RequestInit | undefined {
    const authorization = this.credential?.() ?? null;
    if (authorization === null) return init;
    const headers = new Headers(init?.headers);
    headers.set('authorization', authorization);
    return { ...init, headers };
  }

  /** In a protocol with headers of its own, an error's status only repeats what the answer says. */
  async #answered(response: Response): Promise<Response> {
    const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
    if (!this.#headersOf || !isJson || (response.status !== 400 && response.status !== 404)) return response;
    return new Response(response.body, { status: 200, headers: response.headers });
  }

  pause(): void {
    this.#gate.shut();
  }

  resume(): void {
    this.#gate.unlock();
  }

  #fail(why: string): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#handlers?.closed(why);
    this.#gate.unlock();
    void this.#transport.close();
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#gate.unlock();
    const goodbye = new Promise<void>((resolve) => setTimeout(resolve, GOODBYE_MS).unref());
    const transport = this.#transport;
    if (transport instanceof StreamableHTTPClientTransport)
      await Promise.race([transport.terminateSession().catch(() => undefined), goodbye]);
    this.#fail('it was closed');
  }
}
