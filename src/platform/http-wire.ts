import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { messageOf } from '../core/errors.ts';
import type { JsonValue } from '../core/json.ts';
import { type Challenge, challengeError, challengeOf } from './http-challenge.ts';
import { type HeadersOf, MAX_MESSAGE, type Wire, type WireHandlers } from './wire.ts';

/** Longest part of an event stream without an empty line, in bytes: one message and its envelope. */
const MAX_EVENT = MAX_MESSAGE + 1024;
const EMPTY_LINE = /\r?\n\r?\n/;

/** A door that can be shut for a while. */
class Gate {
  #open: Promise<void> | null = null;
  #let: () => void = () => undefined;

  shut(): void {
    this.#open ??= new Promise((resolve) => {
      this.#let = resolve;
    });
  }

  unlock(): void {
    this.#let();
    this.#open = null;
  }

  async pass(): Promise<void> {
    while (this.#open) await this.#open;
  }
}

/** A response's body at the reader's pace, broken off where a single message is too long. `ended` is told once. */
function bounded(
  body: ReadableStream<Uint8Array>,
  gate: Gate,
  isStream: boolean,
  ended: (canResume: boolean) => void,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const decoder = new TextDecoder('latin1');
  let size = 0;
  let tail = '';
  let canResume = false;
  return new ReadableStream({
    async pull(controller) {
      try {
        await gate.pass();
        const { done, value } = await reader.read();
        if (done) {
          controller.close();
          ended(canResume);
          return;
        }
        size += value.length;
        if (isStream) {
          const text = tail + decoder.decode(value);
          tail = text.slice(-4);
          canResume ||= /(^|\n)id:/.test(text);
          if (EMPTY_LINE.test(text)) size = 0;
        }
        if (size > MAX_EVENT) throw new Error(`it sent a message longer than ${MAX_MESSAGE} bytes`);
        controller.enqueue(value);
      } catch (error) {
        controller.error(error);
        ended(canResume);
        void reader.cancel().catch(() => undefined);
      }
    },
    cancel: (why) => reader.cancel(why),
  });
}

/** The id of the request that a body of ours posts. */
function idIn(body: unknown): number | null {
  const match = typeof body === 'string' ? /^\{"jsonrpc":"2\.0","id":(\d+),"method"/.exec(body) : null;
  return match ? Number(match[1]) : null;
}

/** How long what was read last may take to be delivered, and a session to be given back, in milliseconds. */
const SETTLE_MS = 100;
const GOODBYE_MS = 2_000;

/** A server behind streamable HTTP, by the official client transport. A session that the server has lost is `closed`. */
export class HttpWire implements Wire {
  readonly #gate = new Gate();
  readonly #transport: StreamableHTTPClientTransport;
  /** Ids of requests that the server has not answered. */
  readonly #awaited = new Set<unknown>();
  /** What the server demanded in place of an answer, by the request's id. */
  readonly #challenges = new Map<unknown, Challenge>();
  #handlers: WireHandlers | null = null;
  #headersOf: HeadersOf | null = null;
  #closed = false;

  constructor(
    url: string,
    headers: Readonly<Record<string, string>>,
    /** The client's own authorization, where it is for this server; what the server demands is then for the client. */
    private readonly credential: (() => string | null) | null = null,
  ) {
    this.#transport = new StreamableHTTPClientTransport(new URL(url), {
      requestInit: { headers: { ...headers } },
      // The transport follows redirects within the server's origin only.
      fetch: async (input, init) => {
        const response = await fetch(input, this.#authorized(this.#beside(init)));
        const id = idIn(init?.body);
        const challenge = this.credential ? challengeOf(response) : null;
        if (challenge && id !== null) this.#challenges.set(id, challenge);
        return this.#bounded(await this.#answered(response), id);
      },
    });
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
    this.#transport.onmessage = (message) => {
      if (!('method' in message)) this.#awaited.delete(message.id);
      handlers.message(message as unknown as JsonValue);
    };
    // Failures of a request reach who sent it; a stream is resumed by the transport until it gives up.
    this.#transport.onerror = (error) => {
      if (error.message.startsWith('Maximum reconnection attempts')) this.#fail('the connection was lost');
    };
    void this.#transport.start();
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
    await Promise.race([this.#transport.terminateSession().catch(() => undefined), goodbye]);
    this.#fail('it was closed');
  }
}
