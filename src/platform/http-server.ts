import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import zlib from 'node:zlib';

/** Longest that a client may take for its headers and for its whole request, in milliseconds. */
const HEADERS_MS = 15_000;
const REQUEST_MS = 120_000;
/** How often both are looked at. */
const CHECK_MS = 2_000;
const MAX_HEADER_BYTES = 64 << 10;
const MAX_CONNECTIONS = 2_048;
/** How long a client whose request was refused may go on sending it. */
const DRAIN_MS = 5_000;
/** A client that takes nothing for so long is gone. */
const STALLED_MS = 15 * 60_000;
/** A stream in which nothing was written for so long gets its heartbeat. */
const IDLE_MS = 10_000;

/** A request's body is longer than is taken. */
export class BodyTooLarge extends Error {}

/** A request's body is in an encoding that cannot be read here. */
export class UnreadableEncoding extends Error {
  constructor(readonly encoding: string) {
    super(`the body's content-encoding is ${encoding}`);
  }
}

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

/** The answer to it. */
export interface OutgoingReply {
  /** Aborted when the client goes away before the answer is complete. */
  readonly signal: AbortSignal;
  readonly begun: boolean;
  head(status: number, headers: Readonly<Record<string, string | readonly string[]>>): void;
  /** Resolves when the client can take more, or is gone. */
  write(chunk: string | Uint8Array): Promise<void>;
  /** The end, with the last of the answer. */
  end(last?: string): void;
  cut(): void;
  heartbeat(text: string): void;
  /** The whole answer at once, to a request that may not have been read: the client can still send, and then read. */
  refuse(status: number, headers: Readonly<Record<string, string>>, text: string): void;
}

type Inflate = (bytes: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>;

/** What this Node can decode; zstd came to Node 22. */
const DECODERS: Readonly<Record<string, Inflate | undefined>> = {
  gzip: promisify(zlib.gunzip) as Inflate,
  'x-gzip': promisify(zlib.gunzip) as Inflate,
  deflate: promisify(zlib.inflate) as Inflate,
  br: promisify(zlib.brotliDecompress) as Inflate,
  ...('zstdDecompress' in zlib
    ? { zstd: promisify(zlib.zstdDecompress as typeof zlib.gunzip) as Inflate }
    : {}),
};

/** All bytes of a request. One that is too long is read no further than that, and what it still sends is thrown away. */
function readAll(request: http.IncomingMessage, maxBytes: number): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) return Promise.reject(new BodyTooLarge());
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const take = (chunk: Buffer) => {
      size += chunk.length;
      if (size <= maxBytes) return void chunks.push(chunk);
      request.off('data', take);
      chunks.length = 0;
      reject(new BodyTooLarge());
    };
    request.on('data', take);
    request.once('end', () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)));
    request.once('close', () => reject(new Error('the client went away')));
    request.once('error', reject);
  });
}

async function readBody(request: http.IncomingMessage, maxBytes: number): Promise<Buffer> {
  const whole = await readAll(request, maxBytes);
  const encoding = (request.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (encoding === 'identity' || encoding === '') return whole;
  const decode = DECODERS[encoding];
  if (!decode) throw new UnreadableEncoding(encoding);
  try {
    return await decode(whole, { maxOutputLength: maxBytes });
  } catch (error) {
    if (error instanceof RangeError) throw new BodyTooLarge();
    throw new UnreadableEncoding(`${encoding}, and damaged`);
  }
}

function toReply(request: http.IncomingMessage, response: http.ServerResponse): OutgoingReply {
  const gone = new AbortController();
  let timer: NodeJS.Timeout | null = null;
  let written = false;
  const still = () => {
    if (timer) clearInterval(timer);
    timer = null;
  };
  response.on('close', () => {
    still();
    if (!response.writableFinished) gone.abort();
  });
  response.on('error', () => gone.abort());
  response.setTimeout(STALLED_MS, () => response.destroy());
  return {
    signal: gone.signal,
    get begun() {
      return response.headersSent;
    },
    head: (status, headers) => {
      response.writeHead(status, headers as http.OutgoingHttpHeaders);
      // Together with the first bytes when they are there already, else without them.
      setImmediate(() => {
        if (!written && !response.destroyed) response.flushHeaders();
      });
    },
    write: async (chunk) => {
      timer?.refresh();
      written ||= chunk.length > 0;
      if (chunk.length === 0 || response.destroyed || response.write(chunk)) return;
      await new Promise<void>((resolve) => {
        const done = () => {
          response.off('drain', done);
          response.off('close', done);
          resolve();
        };
        response.on('drain', done);
        response.on('close', done);
      });
    },
    end: (last = '') => {
      still();
      written = true;
      response.end(last);
    },
    cut: () => {
      still();
      // What was written must still arrive; then the connection ends without the end of the body.
      const { socket } = response;
      if (socket) socket.destroySoon();
      else response.destroy();
    },
    refuse: (status, headers, text) => {
      still();
      written = true;
      const bytes = Buffer.from(text);
      const length = { 'content-length': String(bytes.length) };
      if (request.complete) {
        response.writeHead(status, { ...headers, ...length });
        response.end(bytes);
        return;
      }
      // A connection that is closed on unread bytes would take the answer with it.
      response.writeHead(status, { ...headers, ...length, connection: 'close' });
      response.write(bytes);
      const patience = setTimeout(() => response.end(), DRAIN_MS).unref();
      request.once('end', () => response.end());
      request.once('close', () => clearTimeout(patience));
      request.resume();
    },
    heartbeat: (text) => {
      timer ??= setInterval(() => response.write(text), IDLE_MS).unref();
    },
  };
}

/** A running server. */
export interface HttpDoor {
  readonly port: number;
  /** Ends at once, with what is under way. */
  close(): Promise<void>;
}

/** An HTTP server on one address. `serve` must answer every request; what it throws breaks the connection off. */
export async function listenHttp(
  place: { readonly host: string; readonly port: number },
  serve: (call: IncomingCall, reply: OutgoingReply) => Promise<void>,
): Promise<HttpDoor> {
  const server = http.createServer(
    {
      headersTimeout: HEADERS_MS,
      requestTimeout: REQUEST_MS,
      connectionsCheckingInterval: CHECK_MS,
      keepAliveTimeout: 60_000,
      maxHeaderSize: MAX_HEADER_BYTES,
      noDelay: true,
      keepAlive: true,
    },
    (request, response) => {
      const reply = toReply(request, response);
      // A client that breaks off while it sends is no failure of ours.
      request.on('error', () => {});
      serve(
        {
          method: request.method ?? 'GET',
          target: request.url ?? '/',
          headers: request.headers,
          body: (maxBytes) => readBody(request, maxBytes),
          stream: request,
        },
        reply,
      ).catch(() => response.destroy());
    },
  );
  server.maxConnections = MAX_CONNECTIONS;
  server.on('upgrade', (_request, socket) =>
    socket.end('HTTP/1.1 426 Upgrade Required\r\nconnection: close\r\ncontent-length: 0\r\n\r\n'),
  );
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(place.port, place.host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
