import { messageOf } from '../core/errors.ts';
import { isObject } from '../core/json.ts';
import { type ProtectedServer, WELL_KNOWN } from './http-protected.ts';
import {
  BodyTooLarge,
  type HttpService,
  type IncomingCall,
  listenHttp,
  type OutgoingReply,
  type RawExchange,
  UnreadableEncoding,
} from './http-server.ts';
import { HttpSessionWire } from './http-session-wire.ts';
import { isStateless, StatelessClients } from './http-stateless.ts';
import { MAX_MESSAGE, type Wire } from './wire.ts';

type Refuse = (status: number, code: number, why: string) => void;

/** How a streamable HTTP endpoint listens. */
export interface ListenOptions {
  readonly host: string;
  readonly port: number;
  /** What every request must bring as its bearer token; null where any process of this machine may connect. */
  readonly token: string | null;
  /** The server that the clients' own authorization is for; null where it is for nobody behind. */
  readonly behind: ProtectedServer | null;
  /** Serves one client. */
  readonly serve: (wire: Wire) => void;
}

/** Where the endpoint is, and its end. */
export interface Listener {
  readonly url: string;
  close(): Promise<void>;
}

const ENDPOINT = '/mcp';
const MAX_SESSIONS = 64;
/** A session that no request has come for is given up after this long, in milliseconds. */
const IDLE_MS = 30 * 60_000;

/** A JSON-RPC error that belongs to no request. */
function failure(code: number, message: string): object {
  return { jsonrpc: '2.0', id: null, error: { code, message } };
}

/** The sessions of an endpoint and what they are asked. */
class Endpoint implements HttpService {
  readonly #sessions = new Map<string, HttpSessionWire>();
  readonly #stateless: StatelessClients;

  constructor(private readonly options: ListenOptions) {
    this.#stateless = new StatelessClients(MAX_SESSIONS, options.serve, options.behind);
  }

  refusal(_status: number, why: string): object {
    return failure(-32000, why);
  }

  async serve(call: IncomingCall, reply: OutgoingReply, raw: RawExchange): Promise<void> {
    const refuse = (status: number, code: number, why: string) =>
      reply.refuse(status, { 'content-type': 'application/json' }, JSON.stringify(failure(code, why)));
    try {
      await this.#serve(call, raw, refuse);
    } catch (error) {
      if (reply.begun) return reply.cut();
      if (error instanceof BodyTooLarge)
        return refuse(413, -32600, `a message may have ${MAX_MESSAGE} bytes at most`);
      if (error instanceof UnreadableEncoding) return refuse(415, -32700, error.message);
      refuse(500, -32603, messageOf(error));
    }
  }

  async #serve(call: IncomingCall, { request, response }: RawExchange, refuse: Refuse): Promise<void> {
    const [path = ''] = call.target.split('?', 1);
    if (path.startsWith(WELL_KNOWN)) return this.#describe(call, { request, response }, refuse);
    if (path !== ENDPOINT && !path.startsWith(`${ENDPOINT}/`))
      return refuse(404, -32000, `the MCP endpoint is ${ENDPOINT}`);
    const id = call.headers['mcp-session-id'];
    const known = typeof id === 'string' ? this.#sessions.get(id) : undefined;
    if (id !== undefined && !known) return refuse(404, -32001, 'Session not found');
    if (known?.authorization && call.headers.authorization === undefined)
      return refuse(401, -32000, 'the session began with an Authorization; bring it with every request');
    if (call.method !== 'POST') return this.#handle(known, { request, response }, refuse);
    const text = (await call.body(MAX_MESSAGE)).toString('utf8');
    let body: unknown;
    try {
      body = JSON.parse(text);
    } catch {
      return refuse(400, -32700, 'the body is not JSON');
    }
    if (Array.isArray(body))
      return refuse(
        400,
        -32600,
        'batches of messages are not part of MCP since 2025-06-18; send one at a time',
      );
    if (!known && isStateless(request, body)) {
      const error = this.#stateless.take(request, response, body);
      if (error) response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify(error));
      return;
    }
    await this.#handle(known, { request, response }, refuse, body);
  }

  /** The metadata document of the server behind, for clients that look for its authorization server (RFC 9728). */
  async #describe(
    { method }: IncomingCall,
    { request, response }: RawExchange,
    refuse: Refuse,
  ): Promise<void> {
    const { behind } = this.options;
    if (method !== 'GET') return refuse(405, -32000, 'a metadata document is only read');
    const document = behind ? await behind.metadata(request) : null;
    if (!document) return refuse(404, -32000, 'the server behind has no metadata document');
    response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-store' });
    response.end(JSON.stringify(document));
  }

  /** Leaves a request to the session that it belongs to, or that it begins. */
  async #handle(
    known: HttpSessionWire | undefined,
    { request, response }: RawExchange,
    refuse: Refuse,
    body?: unknown,
  ): Promise<void> {
    const wire = known ?? this.#open();
    if (!wire) return refuse(503, -32000, `${MAX_SESSIONS} sessions are open already`);
    wire.follow(request, response, isObject(body) ? body.id : undefined);
    await wire.transport.handleRequest(request, response, body);
  }

  /** A wire for who has no session: it begins one if the message is `initialize`, else the transport refuses. */
  #open(): HttpSessionWire | null {
    if (this.#sessions.size >= MAX_SESSIONS) return null;
    const wire = new HttpSessionWire(
      (begun, id) => {
        this.#sessions.set(id, begun);
        this.options.serve(begun);
      },
      (ended) => {
        if (ended.transport.sessionId !== undefined) this.#sessions.delete(ended.transport.sessionId);
      },
      this.options.behind,
    );
    return wire;
  }

  /** Ends sessions that nobody has asked anything for a long time. */
  async sweep(): Promise<void> {
    const oldest = Date.now() - IDLE_MS;
    for (const wire of [...this.#sessions.values()]) if (wire.isIdleSince(oldest)) await wire.close();
    await this.#stateless.sweep(oldest);
  }

  async close(): Promise<void> {
    await Promise.all([...[...this.#sessions.values()].map((wire) => wire.close()), this.#stateless.close()]);
  }
}

/** Serves MCP over streamable HTTP (specification 2025-11-25, Transports). Resolves when it listens. */
export async function listen(options: ListenOptions): Promise<Listener> {
  const endpoint = new Endpoint(options);
  const server = await listenHttp(options, endpoint);
  const sweeping = setInterval(() => void endpoint.sweep(), 60_000);
  return {
    url: `${server.url}${ENDPOINT}`,
    close: async () => {
      clearInterval(sweeping);
      await endpoint.close();
      await server.close();
    },
  };
}
