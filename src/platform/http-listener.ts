import { timingSafeEqual } from 'node:crypto';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { messageOf } from '../core/errors.ts';
import { HttpSessionWire } from './http-session-wire.ts';
import { MAX_MESSAGE, type Wire } from './wire.ts';

/** How a streamable HTTP endpoint listens. */
export interface ListenOptions {
  readonly host: string;
  readonly port: number;
  /** What every request must bring as its bearer token; null where any process of this machine may connect. */
  readonly token: string | null;
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
/** How long a request's head and its body may take to arrive, in milliseconds. */
const HEAD_MS = 10_000;
const BODY_MS = 60_000;
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

function refuse(response: ServerResponse, status: number, code: number, message: string): void {
  const body = JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message } });
  const challenge = status === 401 ? { 'www-authenticate': 'Bearer' } : {};
  response.writeHead(status, { 'content-type': 'application/json', connection: 'close', ...challenge });
  response.end(body);
}

function hostIn(text: string): string {
  return text.replace(/:\d+$/, '').toLowerCase();
}

/** A web page that another name leads here must not reach us (specification 2025-11-25, Transports: Security). */
function isOurs(request: IncomingMessage, listensOn: string): boolean {
  const { host = '', origin } = request.headers;
  const names = new Set([...LOOPBACK, listensOn.toLowerCase()]);
  if (!names.has(hostIn(host))) return false;
  if (origin === undefined) return true;
  return URL.canParse(origin) && names.has(new URL(origin).hostname.toLowerCase());
}

function hasToken(request: IncomingMessage, token: string): boolean {
  const given = Buffer.from(request.headers.authorization ?? '');
  const wanted = Buffer.from(`Bearer ${token}`);
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

class BodyTooLong extends Error {}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const announced = Number(request.headers['content-length'] ?? 0);
  if (announced > MAX_MESSAGE) throw new BodyTooLong();
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_MESSAGE) throw new BodyTooLong();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** The sessions of an endpoint and what they are asked. */
class Endpoint {
  readonly #sessions = new Map<string, HttpSessionWire>();

  constructor(private readonly options: ListenOptions) {}

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { host, token } = this.options;
    if (token === null && !isOurs(request, host))
      return refuse(response, 403, -32000, 'Host or Origin is not this machine');
    if (token !== null && !hasToken(request, token))
      return refuse(response, 401, -32000, 'the bearer token is missing or wrong');
    if (new URL(request.url ?? '/', 'http://localhost').pathname !== ENDPOINT)
      return refuse(response, 404, -32000, `the MCP endpoint is ${ENDPOINT}`);
    const id = request.headers['mcp-session-id'];
    const known = typeof id === 'string' ? this.#sessions.get(id) : undefined;
    if (id !== undefined && !known) return refuse(response, 404, -32001, 'Session not found');
    const wire = known ?? this.#open();
    if (!wire) return refuse(response, 503, -32000, `${MAX_SESSIONS} sessions are open already`);
    wire.follow(response);
    if (request.method !== 'POST') return wire.transport.handleRequest(request, response);
    let body: unknown;
    try {
      body = JSON.parse(await bodyOf(request));
    } catch (error) {
      if (error instanceof BodyTooLong)
        return refuse(response, 413, -32600, `a message may have ${MAX_MESSAGE} bytes at most`);
      return refuse(response, 400, -32700, 'the body is not JSON');
    }
    if (Array.isArray(body))
      return refuse(
        response,
        400,
        -32600,
        'batches of messages are not part of MCP since 2025-06-18; send one at a time',
      );
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
    );
    return wire;
  }

  /** Ends sessions that nobody has asked anything for a long time. */
  async sweep(): Promise<void> {
    const oldest = Date.now() - IDLE_MS;
    for (const wire of [...this.#sessions.values()]) if (wire.isIdleSince(oldest)) await wire.close();
  }

  async close(): Promise<void> {
    await Promise.all([...this.#sessions.values()].map((wire) => wire.close()));
  }
}

/** Serves MCP over streamable HTTP (specification 2025-11-25, Transports). Resolves when it listens. */
export async function listen(options: ListenOptions): Promise<Listener> {
  const endpoint = new Endpoint(options);
  const server = http.createServer(
    { headersTimeout: HEAD_MS, requestTimeout: BODY_MS },
    (request, response) => {
      endpoint.handle(request, response).catch((error) => {
        if (!response.headersSent) refuse(response, 500, -32603, messageOf(error));
        else response.destroy();
      });
    },
  );
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, resolve);
  });
  const sweeping = setInterval(() => void endpoint.sweep(), 60_000);
  const { port } = server.address() as AddressInfo;
  const shown = options.host.includes(':') ? `[${options.host}]` : options.host;
  return {
    url: `http://${shown}:${port}${ENDPOINT}`,
    close: async () => {
      clearInterval(sweeping);
      await endpoint.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
