import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import zlib from 'node:zlib';

/** A request's body is longer than is taken. */
export class BodyTooLarge extends Error {
  constructor(maxBytes: number) {
    super(`the body is longer than ${maxBytes} bytes`);
  }
}

/** A request's body is in an encoding that cannot be read here. */
export class UnreadableEncoding extends Error {
  constructor(readonly encoding: string) {
    super(`the body's content-encoding is ${encoding}`);
  }
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
function readAll(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes)
    return Promise.reject(new BodyTooLarge(maxBytes));
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const take = (chunk: Buffer) => {
      size += chunk.length;
      if (size <= maxBytes) return void chunks.push(chunk);
      request.off('data', take);
      chunks.length = 0;
      reject(new BodyTooLarge(maxBytes));
    };
    request.on('data', take);
    request.once('end', () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)));
    request.once('close', () => reject(new Error('the client went away')));
    request.once('error', reject);
  });
}

/**
 * The whole body of a request, decoded, at most `maxBytes` before and after. Throws BodyTooLarge, UnreadableEncoding,
 * or an Error when the client goes away.
 */
export async function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const whole = await readAll(request, maxBytes);
  const encoding = (request.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (encoding === 'identity' || encoding === '') return whole;
  const decode = DECODERS[encoding];
  if (!decode) throw new UnreadableEncoding(encoding);
  try {
    return await decode(whole, { maxOutputLength: maxBytes });
  } catch (error) {
    if (error instanceof RangeError) throw new BodyTooLarge(maxBytes);
    throw new UnreadableEncoding(`${encoding}, and damaged`);
  }
}
