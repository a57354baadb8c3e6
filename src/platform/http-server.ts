import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { PactError } from '../core/errors.ts';
import { type AdmissionRules, whyNotAdmitted } from './http-admission.ts';
import { readBody } from './http-body.ts';
import { type OutgoingReply, toReply } from './http-reply.ts';

export { BodyTooLarge, UnreadableEncoding } from './http-body.ts';
export type { OutgoingReply } from './http-reply.ts';

/** Longest that a client may take for its headers and for its whole request, in milliseconds. */
const HEADERS_MS = 10_000;
const REQUEST_MS = 120_000;
/** How often both are looked at. */
const CHECK_MS = 2_000;
const MAX_HEADER_BYTES = 64 << 10;
const MAX_CONNECTIONS = 2_048;
const KEEP_ALIVE_MS = 60_000;

/** One request as it comes in. */
export interface IncomingCall {
  readonly method: string;
  /** Path and query as the client sent them. */
  readonly target: string;
  readonly headers: http.IncomingHttpHeaders;
  /** The whole body, decoded. Throws BodyTooLarge, UnreadableEncoding, or when the client goes away. */
  body(maxBytes: number): Promise<Buffer>;
  /** The body as it comes, for requests that are only passed on. */
  readonly stream: AsyncIterable<Uint8Array>;
}

/** Request and response as Node has them, for a library that speaks HTTP by itself. */
export interface RawExchange {
  readonly request: http.IncomingMessage;
  readonly response: http.ServerResponse;
}

/** What stands behind a server. */
export interface HttpService {
  /** Answers every request that is admitted; what it throws breaks the connection off. */
  serve(call: IncomingCall, reply: OutgoingReply, raw: RawExchange): Promise<void>;
  /** A refusal as JSON in the words of the protocol that is spoken here. */
  refusal(status: number, why: string, call: IncomingCall): object;
  /**
   * Headers of the interim answer to a client that waits for one before it sends its body (`Expect: 100-continue`,
   * RFC 9110 §10.1.1); null where it is not to send the body.
   */
  readonly interim?: () => Readonly<Record<string, string>> | null;
}

/** A running server. */
export interface HttpDoor {
  readonly port: number;
  /** `http://HOST:PORT`, without a slash at the end. */
  readonly url: string;
  /** Takes no more requests, waits so long for those under way (milliseconds), and cuts the rest off. */
  close(graceMs?: number): Promise<void>;
}

function toCall(request: http.IncomingMessage): IncomingCall {
  return {
    method: request.method ?? 'GET',
    target: request.url ?? '/',
    headers: request.headers,
    body: (maxBytes) => readBody(request, maxBytes),
    stream: request,
  };
}

function refuse(
  service: HttpService,
  reply: OutgoingReply,
  call: IncomingCall,
  status: number,
  why: string,
): void {
  const challenge = status === 401 ? { 'www-authenticate': 'Bearer' } : {};
  const text = `${JSON.stringify(service.refusal(status, why, call))}\n`;
  reply.refuse(status, { 'content-type': 'application/json', ...challenge }, text);
}

/** Lets a client that waits send its body. A response has its socket once those before it are through. */
function goOn(response: http.ServerResponse, headers: Readonly<Record<string, string>> | null): void {
  const { socket } = response;
  if (!headers) return;
  if (!socket) {
    response.writeContinue();
    return;
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`HTTP/1.1 100 Continue\r\n${lines.join('')}\r\n`);
}

function handlerOf(rules: AdmissionRules, service: HttpService): http.RequestListener {
  return (request, response) => {
    const [call, reply] = [toCall(request), toReply(request, response)];
    // A client that breaks off while it sends is no failure of ours.
    request.on('error', () => {});
    const no = whyNotAdmitted(request.headers, rules);
    if (no) return refuse(service, reply, call, no.status, no.why);
    if (request.headers.expect !== undefined) goOn(response, service.interim ? service.interim() : {});
    service.serve(call, reply, { request, response }).catch(() => response.destroy());
  };
}

function listening(server: http.Server, { host, port }: { host: string; port: number }): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const why =
        error.code === 'EADDRINUSE' ? 'is in use' : `cannot be listened on (${error.code ?? error.message})`;
      const remedy = 'Choose another address; port 0 takes any free one.';
      reject(new PactError('UNAVAILABLE', `${host}:${port} ${why}`, remedy));
    });
    server.listen(port, host, resolve);
  });
}

function closed(server: http.Server, graceMs: number): Promise<void> {
  const cut = setTimeout(() => server.closeAllConnections(), graceMs);
  return new Promise((resolve) => {
    server.close(() => {
      clearTimeout(cut);
      resolve();
    });
    if (graceMs === 0) server.closeAllConnections();
  });
}

/**
 * An HTTP server on one address, the same for every door: bounds on heads, connections and time, and nobody admitted
 * but by {@link whyNotAdmitted}. Throws an UNAVAILABLE when the address cannot be listened on.
 */
export async function listenHttp(
  place: AdmissionRules & { readonly port: number },
  service: HttpService,
): Promise<HttpDoor> {
  const handler = handlerOf(place, service);
  const server = http.createServer(
    {
      headersTimeout: HEADERS_MS,
      requestTimeout: REQUEST_MS,
      connectionsCheckingInterval: CHECK_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
      maxHeaderSize: MAX_HEADER_BYTES,
      noDelay: true,
      keepAlive: true,
    },
    handler,
  );
  server.maxConnections = MAX_CONNECTIONS;
  server.on('checkContinue', handler);
  server.on('request', (_request, response) => {
    // A connection that is kept open for another request must not hold up the end.
    response.once('close', () => server.listening || setImmediate(() => server.closeIdleConnections()));
  });
  server.on('upgrade', (_request, socket) =>
    socket.end('HTTP/1.1 426 Upgrade Required\r\nconnection: close\r\ncontent-length: 0\r\n\r\n'),
  );
  await listening(server, place);
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://${place.host.includes(':') ? `[${place.host}]` : place.host}:${port}`,
    close: (graceMs = 0) => closed(server, graceMs),
  };
}
