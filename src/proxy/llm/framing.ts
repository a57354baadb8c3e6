import { AwsEventReader, awsEvents } from '../../models/aws-events.ts';
import { SseReader } from '../../models/sse.ts';
import type { ClientReply } from './ports.ts';

/** Reads the bytes of one response as text that an answer takes. */
export interface ByteReader {
  /** Throws a WireFault on bytes that cannot be read. */
  push(bytes: Uint8Array): string;
  /** The bytes have ended. Throws a WireFault when something of them is missing. */
  end(): string;
}

/** How the events of a streamed answer are laid out in bytes. Inside the door they are server-sent events. */
export interface Framing {
  reader(): ByteReader;
  /** Whole events as the client wants them; `last`: nothing follows them. */
  write(events: string, last: boolean): string | Uint8Array;
  /** Content type for the client; null leaves the upstream's. */
  readonly contentType: string | null;
  /** What keeps an idle stream alive; null leaves the protocol's own. */
  readonly heartbeat: string | null;
}

/** Reads UTF-8. */
export function textReader(): ByteReader {
  const decoder = new TextDecoder();
  return { push: (bytes) => decoder.decode(bytes, { stream: true }), end: () => decoder.decode() };
}

/** Amazon's event stream, as Bedrock sends it. */
export const AWS_EVENTS: Framing = {
  reader: () => new AwsEventReader(),
  write: awsEvents,
  contentType: null,
  heartbeat: null,
};

/** One JSON array, written piece by piece; the upstream was asked for server-sent events. */
export function jsonArray(): Framing {
  let begun = false;
  return {
    reader: textReader,
    write: (events, last) => {
      let out = '';
      for (const { data } of new SseReader().push(events)) {
        if (data === '') continue;
        out += `${begun ? ',\r\n' : '['}${data}`;
        begun = true;
      }
      if (!last) return out;
      return `${out}${begun ? ']' : '[]'}`;
    },
    contentType: 'application/json; charset=UTF-8',
    heartbeat: '\n',
  };
}

/** The client's side of a stream in a framing of its own. */
export function framedReply(client: ClientReply, framing: Framing): ClientReply {
  const { contentType, heartbeat } = framing;
  return {
    signal: client.signal,
    head: (status, headers) =>
      client.head(status, contentType === null ? headers : { ...headers, 'content-type': contentType }),
    write: async (text) => {
      const out = typeof text === 'string' ? framing.write(text, false) : text;
      if (out.length > 0) await client.write(out);
    },
    end: (last = '') => client.end(typeof last === 'string' ? framing.write(last, true) : last),
    cut: () => client.cut(),
    heartbeat: (text) => client.heartbeat(heartbeat ?? framing.write(String(text), false)),
  };
}
