import http from 'node:http';
import type { AddressInfo } from 'node:net';

/** One request as the handler sees it. */
export interface LocalRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: Buffer;
  /** It came over the Unix socket, whose folder only this user can enter. */
  readonly private: boolean;
}

export interface LocalReply {
  readonly status: number;
  readonly type: string;
  /** A body that is still being made has its head sent at once. To a client of HTTP/1.0 it ends with the connection. */
  readonly body: string | Promise<string>;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface LocalServer {
  /** Port on the loopback address. */
  readonly port: number;
  close(): Promise<void>;
}

interface Options {
  readonly socketFile: string;
  readonly maxBody: number;
  /** Whether a request over the loopback address may go on to its body: any program and web page can make one. */
  readonly admits: (headers: http.IncomingHttpHeaders) => boolean;
  readonly handle: (request: LocalRequest) => LocalReply;
}

/** A client that dawdles is cut off: headers within 5 s, everything within 30 s. */
const HEADERS_MS = 5_000;
const REQUEST_MS = 30_000;
const MAX_CONNECTIONS = 2_048;
const SWEEP_MS = 20;

/** The body, or null when it is longer than allowed. */
async function bodyOf(message: http.IncomingMessage, maxBody: number): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let total = 0;
  for await (const chunk of message as AsyncIterable<Buffer>) {
    total += chunk.length;
    if (total > maxBody) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

async function send(
  response: http.ServerResponse,
  { status, type, body, headers }: LocalReply,
): Promise<void> {
  const head = { 'content-type': type, ...headers };
  if (typeof body === 'string') {
    response.writeHead(status, { ...head, 'content-length': Buffer.byteLength(body) });
    response.end(body);
    return;
  }
  response.writeHead(status, head);
  response.flushHeaders();
  response.end(await body);
}

async function serve(
  message: http.IncomingMessage,
  response: http.ServerResponse,
  isPrivate: boolean,
  { maxBody, admits, handle }: Options,
): Promise<void> {
  if (!isPrivate && !admits(message.headers)) {
    // Its body, which may be long and slow, is not waited for.
    await send(response, { status: 401, type: 'text/plain', body: 'no\n', headers: { connection: 'close' } });
    return;
  }
  const body = await bodyOf(message, maxBody);
  if (body === null) {
    await send(response, { status: 413, type: 'text/plain', body: `the body is over ${maxBody} bytes\n` });
    return;
  }
  const url = new URL(message.url ?? '/', 'http://localhost');
  const { method = 'GET', headers } = message;
  await send(
    response,
    handle({ method, path: url.pathname, query: url.searchParams, headers, body, private: isPrivate }),
  );
}

function makeServer(isPrivate: boolean, options: Options): http.Server {
  const server = http.createServer((message, response) => {
    serve(message, response, isPrivate, options).catch(() => {
      // The client went away, or sent what is no request; there is nobody left to answer.
      response.destroy();
    });
  });
  server.headersTimeout = HEADERS_MS;
  server.requestTimeout = REQUEST_MS;
  server.maxConnections = MAX_CONNECTIONS;
  return server;
}

function listening(
  server: http.Server,
  where: { path: string } | { port: number; host: string },
): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(where, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

/** Closes once the last request is answered: a client that would keep its connection for another one is not waited for. */
function closed(server: http.Server): Promise<void> {
  const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
  return new Promise((resolve) => {
    server.close(() => {
      clearInterval(sweep);
      resolve();
    });
  });
}

/**
 * Serves HTTP on a Unix socket and on a free port of the loopback address, to programs of this machine only. The
 * caller sees to it that the socket's name is free and its folder private.
 */
export async function serveLocally(options: Options): Promise<LocalServer> {
  const socket = makeServer(true, options);
  const loopback = makeServer(false, options);
  await listening(socket, { path: options.socketFile });
  await listening(loopback, { port: 0, host: '127.0.0.1' });
  return {
    port: (loopback.address() as AddressInfo).port,
    close: async () => {
      await Promise.all([closed(socket), closed(loopback)]);
    },
  };
}
