import type { ServerResponse } from 'node:http';

/** How long a response may be kept back, in milliseconds; clients give up on one without headers after minutes. */
const HOLD_MS = 10_000;

/**
 * A response of which nothing goes out until it is known whether it is a refusal: a library begins its stream before
 * the answer is there, and then the status can no longer be another.
 */
export class HeldResponse {
  #kept: (() => unknown)[] | null = [];
  #denied = false;
  readonly #timer: NodeJS.Timeout;
  readonly #deny: (status: number, headers: Record<string, string>, text: string) => void;

  constructor(response: ServerResponse) {
    const { writeHead, flushHeaders, write, end } = response;
    const keep = (work: (...args: never[]) => unknown, kept: unknown) =>
      ((...args: never[]) => {
        if (this.#denied) return kept;
        if (!this.#kept) return work.apply(response, args);
        this.#kept.push(() => work.apply(response, args));
        return kept;
      }) as never;
    response.writeHead = keep(writeHead, response);
    response.flushHeaders = keep(flushHeaders, undefined);
    response.write = keep(write, true);
    response.end = ((...args: never[]) => {
      if (this.#denied) return response;
      this.release();
      return (end as (...all: never[]) => unknown).apply(response, args);
    }) as typeof end;
    this.#deny = (status, headers, text) => {
      writeHead.call(response, status, { ...headers, 'content-type': 'application/json' });
      end.call(response, text, 'utf8');
    };
    this.#timer = setTimeout(() => this.release(), HOLD_MS).unref();
    response.once('close', () => clearTimeout(this.#timer));
  }

  /** Lets out what was kept, and all that follows. */
  release(): void {
    clearTimeout(this.#timer);
    const kept = this.#kept ?? [];
    this.#kept = null;
    for (const work of kept) work();
  }

  /** Answers with a refusal in place of what was kept and what follows. Nothing happens once it was released. */
  deny(status: number, headers: Record<string, string>, text: string): void {
    if (!this.#kept) return;
    clearTimeout(this.#timer);
    this.#kept = null;
    this.#denied = true;
    this.#deny(status, headers, text);
  }
}
