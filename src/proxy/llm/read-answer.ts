import type { ByteReader } from './framing.ts';
import type { ClientReply } from './ports.ts';
import type { Answer } from './wire.ts';

/** Longest answer in one piece, in bytes. */
const MAX_BODY = 64 << 20;
/** Most that is read, to be thrown away, of what an upstream sends after the end of its answer, in bytes. */
const MAX_AFTER = 64 << 10;

/** Reads what comes after the end of an answer, so that the connection to the upstream can be used again. */
async function drain(chunks: AsyncIterator<Uint8Array>): Promise<void> {
  try {
    for (let size = 0; size <= MAX_AFTER; ) {
      const { done, value } = await chunks.next();
      if (done) return;
      size += value.length;
    }
    await chunks.return?.();
  } catch {
    // The answer is complete; how its connection ended is nobody's concern.
  }
}

/**
 * Reads one response of the upstream into an answer and passes on what may go on. Resolves at the answer's end with
 * what may go on of its last piece: it can be sent together with what was held back. Throws when the upstream breaks
 * off or cannot be read.
 */
export async function readAnswer(
  source: AsyncIterable<Uint8Array>,
  answer: Answer,
  reader: ByteReader,
  streamed: boolean,
  client: ClientReply,
): Promise<string> {
  const chunks = source[Symbol.asyncIterator]();
  let size = 0;
  try {
    for (;;) {
      const { done, value } = await chunks.next();
      if (done) return answer.take(reader.end());
      size += value.length;
      if (!streamed && size > MAX_BODY) throw new Error(`the answer is longer than ${MAX_BODY} bytes`);
      const out = answer.take(reader.push(value));
      if (answer.over) {
        void drain(chunks);
        return out;
      }
      if (out !== '') await client.write(out);
    }
  } catch (error) {
    // Nothing more is wanted of it. A stream that has failed by itself is closed already.
    void chunks.return?.().catch(() => {});
    throw error;
  }
}
