import { Readable } from 'node:stream';
import zlib from 'node:zlib';
import { Agent, type Dispatcher, EnvHttpProxyAgent } from 'undici';
import { messageOf, PactError } from '../core/errors.ts';

/** A model may think for long before its first byte, and between two. */
const SILENCE_MS = 15 * 60_000;
const CONNECT_MS = 30_000;

/** A request to an HTTP server. */
export interface HttpAsk {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: Uint8Array | string | AsyncIterable<Uint8Array> | null;
}

/** Its answer. `chunks` throws when it is cut off. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly chunks: AsyncIterable<Uint8Array>;
}

/** Connections to one server, kept open between requests. */
export interface HttpClient {
  /** `decoded`: a compressed answer is unpacked. Throws a PactError when the server cannot be reached. */
  send(ask: HttpAsk, signal: AbortSignal, decoded: boolean): Promise<HttpAnswer>;
  close(): Promise<void>;
}

function unpacked(body: Readable, encoding: string): Readable {
  const unpack =
    encoding === 'gzip'
      ? zlib.createGunzip()
      : encoding === 'br'
        ? zlib.createBrotliDecompress()
        : encoding === 'deflate'
          ? zlib.createInflate()
          : null;
  if (!unpack)
    throw new PactError('UNAVAILABLE', `the upstream answers in ${encoding}`, 'Ask it for plain answers.');
  body.on('error', (error) => unpack.destroy(error));
  return body.pipe(unpack);
}

function dispatcherOf(): Dispatcher {
  const bounds = {
    headersTimeout: SILENCE_MS,
    bodyTimeout: SILENCE_MS,
    connect: { timeout: CONNECT_MS },
    keepAliveTimeout: 30_000,
  };
  const { env } = process;
  const behindProxy = env.HTTPS_PROXY || env.https_proxy || env.HTTP_PROXY || env.http_proxy;
  return behindProxy ? new EnvHttpProxyAgent(bounds) : new Agent(bounds);
}

/** A client of the server at an origin, for example `https://api.anthropic.com`. */
export function httpClient(origin: string): HttpClient {
  const dispatcher = dispatcherOf();
  return {
    send: async ({ method, path, headers, body }, signal, decoded) => {
      let reply: Dispatcher.ResponseData;
      try {
        reply = await dispatcher.request({
          origin,
          path,
          method: method as Dispatcher.HttpMethod,
          headers: headers as Record<string, string | string[]>,
          body:
            body === null || typeof body === 'string' || body instanceof Uint8Array
              ? body
              : Readable.from(body),
          signal,
        });
      } catch (error) {
        if (signal.aborted) throw error;
        throw new PactError(
          'UNAVAILABLE',
          `the upstream ${origin} cannot be reached: ${messageOf(error)}`,
          'Check --upstream and the network, then try again.',
        );
      }
      const encoding = String(reply.headers['content-encoding'] ?? 'identity').toLowerCase();
      const isPacked = decoded && encoding !== 'identity' && encoding !== '';
      return {
        status: reply.statusCode,
        headers: reply.headers,
        chunks: isPacked ? unpacked(reply.body, encoding) : reply.body,
      };
    },
    close: () => dispatcher.destroy(),
  };
}
