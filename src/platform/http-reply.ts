import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';

/** How long a client whose request was refused may go on sending it, in milliseconds. */
const DRAIN_MS = 5_000;
/** A client that takes nothing for so long is gone. */
const STALLED_MS = 15 * 60_000;
/** A stream in which nothing was written for so long gets its heartbeat. */
const IDLE_MS = 10_000;

/** The answer to a request. */
export interface OutgoingReply {
  /** Aborted when the client goes away before the answer is complete. */
  readonly signal: AbortSignal;
  readonly begun: boolean;
  head(status: number, headers: Readonly<Record<string, string | readonly string[]>>): void;
  /** Resolves when the client can take more, or is gone. */
  write(chunk: string | Uint8Array): Promise<void>;
  /** The end, with the last of the answer. */
  end(last?: string | Uint8Array): void;
  cut(): void;
  heartbeat(text: string | Uint8Array): void;
  /** The whole answer at once, to a request that may not have been read: the client can still send, and then read. */
  refuse(status: number, headers: Readonly<Record<string, string>>, text: string): void;
}

/** The answer that is written to a response of Node, at the pace of who reads it. */
export function toReply(request: IncomingMessage, response: ServerResponse): OutgoingReply {
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
      response.writeHead(status, headers as OutgoingHttpHeaders);
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
