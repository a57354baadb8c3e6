import { EventStreamCodec } from '@smithy/core/event-streams';
import { messageOf } from '../core/errors.ts';
import { isObject } from '../core/json.ts';
import { WireFault } from './shapes.ts';
import { SseReader, sse } from './sse.ts';

/** Longest message, in bytes; AWS sends none over 24 MiB (Amazon Transcribe, event stream encoding). */
const MAX_MESSAGE = 24 << 20;
/** Two lengths and the checksum of both, and the checksum of the message. */
const SHORTEST = 16;

const codec = new EventStreamCodec(
  (bytes) => (typeof bytes === 'string' ? bytes : Buffer.from(bytes).toString('utf8')),
  (text) => Buffer.from(text, 'utf8'),
);

function parsed(bytes: Uint8Array, what: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new WireFault(`${what} is not JSON`);
  }
  if (!isObject(value)) throw new WireFault(`${what} is no JSON object`);
  return value;
}

/** A message as the event of Messages that it carries, written anew, so that nobody can read a key in two ways. */
function eventOf(message: Uint8Array): string {
  let decoded: ReturnType<typeof codec.decode>;
  try {
    decoded = codec.decode(message);
  } catch (error) {
    throw new WireFault(`a message of its event stream is broken (${messageOf(error).slice(0, 160)})`);
  }
  const { headers, body } = decoded;
  const header = (name: string) => String(headers[name]?.value ?? '');
  const kind = header(':message-type');
  if (kind === 'exception' || kind === 'error') {
    const type = header(':exception-type') || header(':error-code') || 'internalServerException';
    const said = kind === 'exception' ? parsed(body, 'an exception').message : header(':error-message');
    return sse('error', { type: 'error', error: { type, message: String(said ?? type) } });
  }
  const type = header(':event-type');
  if (kind !== 'event' || type !== 'chunk')
    throw new WireFault(`its event stream has a message of an unknown kind (${kind} ${type})`);
  const { bytes } = parsed(body, 'a chunk');
  if (typeof bytes !== 'string') throw new WireFault('a chunk of its event stream has no bytes');
  const event = parsed(Buffer.from(bytes, 'base64'), 'an event of the stream');
  if (typeof event.type !== 'string') throw new WireFault('an event of the stream has no type');
  return sse(event.type, event);
}

/**
 * Reads the event stream of Amazon Bedrock (InvokeModelWithResponseStream, `application/vnd.amazon.eventstream`) as
 * server-sent events of Messages, however its bytes were cut into pieces.
 */
export class AwsEventReader {
  #rest: Buffer = Buffer.alloc(0);

  /** Events that these bytes complete. Throws a WireFault on a message that cannot be read. */
  push(bytes: Uint8Array): string {
    this.#rest = this.#rest.length === 0 ? Buffer.from(bytes) : Buffer.concat([this.#rest, bytes]);
    let out = '';
    while (this.#rest.length >= 4) {
      const length = this.#rest.readUInt32BE(0);
      if (length < SHORTEST || length > MAX_MESSAGE)
        throw new WireFault(`its event stream tells of a message of ${length} bytes`);
      if (this.#rest.length < length) break;
      out += eventOf(this.#rest.subarray(0, length));
      this.#rest = this.#rest.subarray(length);
    }
    return out;
  }

  /** The stream has ended. Throws a WireFault when it ended within a message. */
  end(): string {
    if (this.#rest.length > 0) throw new WireFault('its event stream ends within a message');
    return '';
  }
}

function headersOf(headers: Readonly<Record<string, string>>) {
  return Object.fromEntries(
    Object.entries({ ...headers, ':content-type': 'application/json' }).map(
      ([name, value]) => [name, { type: 'string' as const, value }] as const,
    ),
  );
}

/** One event of Messages as a message of Bedrock's event stream; an error becomes an exception. */
function messageFor(data: string): Uint8Array {
  const event: unknown = JSON.parse(data);
  const error = isObject(event) && event.type === 'error' && isObject(event.error) ? event.error : null;
  if (error === null)
    return codec.encode({
      headers: headersOf({ ':event-type': 'chunk', ':message-type': 'event' }),
      body: Buffer.from(JSON.stringify({ bytes: Buffer.from(data, 'utf8').toString('base64') })),
    });
  const type = String(error.type);
  return codec.encode({
    headers: headersOf({
      ':exception-type': type.endsWith('Exception') ? type : 'internalServerException',
      ':message-type': 'exception',
    }),
    body: Buffer.from(JSON.stringify({ message: String(error.message) })),
  });
}

/** Whole server-sent events of Messages as Bedrock's event stream. */
export function awsEvents(text: string): Uint8Array {
  const events = new SseReader().push(text).filter(({ data }) => data !== '');
  return Buffer.concat(events.map(({ data }) => messageFor(data)));
}
