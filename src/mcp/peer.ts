import { messageOf } from '../core/errors.ts';
import type { JsonObject, JsonValue } from '../core/json.ts';
import { HIGH_WATER, MAX_BACKLOG, type Wire } from '../platform/wire.ts';
import {
  type Answer,
  CODES,
  failure,
  type Notification,
  type Request,
  type RequestId,
  readMessage,
} from './message.ts';

/** What a peer tells of its other end. */
export interface PeerHandlers {
  readonly request: (request: Request) => void;
  readonly notification: (notification: Notification) => void;
  /** The connection is gone, and every request that waited has been answered with an error. */
  readonly closed: (why: string) => void;
  readonly drained: () => void;
}

/** A request that was sent, and its answer. */
export interface Sent {
  readonly id: number;
  /** Never rejects: a connection that ends is an answer too. */
  readonly answer: Promise<Answer>;
  /** Answers it from this side; the other end's answer is ignored when it comes. */
  readonly settle: (answer: Answer) => void;
}

/** Most requests of ours that may wait for one other end. */
const MAX_WAITING = 1024;
/** Most oddities of one connection that are told of. */
const MAX_ODD = 20;

/**
 * One end of a JSON-RPC connection: gives our requests ids of their own, and brings each answer to who waits for it.
 * An answer that nobody waits for, a second one for example, is dropped.
 */
export class Peer {
  readonly #waiting = new Map<RequestId, (answer: Answer) => void>();
  #next = 0;
  #odd = 0;
  #closed: string | null = null;

  constructor(
    /** What the other end is called in messages. */
    readonly name: string,
    private readonly wire: Wire,
    private readonly handlers: PeerHandlers,
    private readonly log: (text: string) => void,
    /** Whether the other end is told what it sent wrong. A server is not: two peers could answer each other for ever. */
    private readonly options: { readonly answersFaults: boolean } = { answersFaults: false },
  ) {}

  /** Begins to take messages. */
  start(): void {
    this.wire.start({
      message: (value) => this.#take(value),
      garbage: (what) => {
        this.#note(`it sent ${what}`);
        this.#refuse(null, CODES.parse, what);
      },
      closed: (why) => this.#end(why),
      drained: () => this.handlers.drained(),
    });
  }

  #note(what: string): void {
    this.#odd += 1;
    if (this.#odd <= MAX_ODD)
      this.log(`${this.name}: ${what}${this.#odd === MAX_ODD ? ' (no more of this is told)' : ''}`);
  }

  #refuse(id: RequestId | null, code: number, why: string): void {
    if (this.options.answersFaults) void this.#write({ jsonrpc: '2.0', id, ...failure(code, why) });
  }

  #take(value: JsonValue): void {
    const incoming = readMessage(value);
    switch (incoming.kind) {
      case 'request':
        this.handlers.request(incoming.request);
        break;
      case 'notification':
        this.handlers.notification(incoming.notification);
        break;
      case 'answer':
        this.#answered(incoming.id, incoming.answer);
        break;
      case 'invalid': {
        this.#note(`it sent a message that is not valid: ${incoming.why}`);
        const waits = incoming.id !== null && this.#waiting.has(incoming.id);
        if (waits && incoming.id !== null)
          this.#answered(
            incoming.id,
            failure(CODES.internal, `${this.name} answered wrongly: ${incoming.why}`),
          );
        else this.#refuse(incoming.id, CODES.invalidRequest, incoming.why);
      }
    }
  }

  #answered(id: RequestId, answer: Answer): void {
    const settle = this.#waiting.get(id);
    if (!settle) {
      this.#note('it sent an answer that nobody waits for');
      return;
    }
    this.#waiting.delete(id);
    settle(answer);
  }

  #end(why: string): void {
    if (this.#closed !== null) return;
    this.#closed = why;
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const settle of waiting) settle(this.#gone(why));
    this.handlers.closed(why);
  }

  #gone(why: string): Answer {
    return failure(CODES.gone, `${this.name} is gone: ${why}`);
  }

  /** What cannot be written, nested too deeply for example, counts as not arrived. */
  #write(message: object, about?: RequestId): Promise<void> | undefined {
    try {
      return this.wire.send(message, about);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  /** Sends a request. `about` is the id of the other end's request that it comes from. */
  request(method: string, params: JsonObject | undefined, about?: RequestId): Sent {
    this.#next += 1;
    const id = this.#next;
    const done = new Promise<Answer>((resolve) => {
      if (this.#closed !== null) resolve(this.#gone(this.#closed));
      else if (this.#waiting.size >= MAX_WAITING)
        resolve(failure(CODES.refused, `${this.name} has ${MAX_WAITING} requests to answer already`));
      else if (this.wire.backlog > MAX_BACKLOG)
        resolve(failure(CODES.refused, `${this.name} does not take what it is sent`));
      else this.#waiting.set(id, resolve);
    });
    if (this.#waiting.has(id))
      void this.#write({ jsonrpc: '2.0', id, method, ...(params ? { params } : {}) }, about)?.catch((error) =>
        this.#answered(id, this.#gone(messageOf(error))),
      );
    return {
      id,
      answer: done,
      settle: (answer) => {
        const settle = this.#waiting.get(id);
        this.#waiting.delete(id);
        settle?.(answer);
      },
    };
  }

  notify(method: string, params: JsonObject | undefined, about?: RequestId): void {
    if (this.#closed !== null || this.wire.backlog > MAX_BACKLOG) return;
    void this.#write({ jsonrpc: '2.0', method, ...(params ? { params } : {}) }, about)?.catch((error) =>
      this.#note(`${method} did not arrive: ${messageOf(error)}`),
    );
  }

  respond(id: RequestId, answer: Answer): void {
    if (this.#closed !== null) return;
    void this.#write({ jsonrpc: '2.0', id, ...answer }, id)?.catch((error) => {
      this.#note(`an answer did not arrive: ${messageOf(error)}`);
      const said = failure(CODES.internal, `the answer could not be passed on: ${messageOf(error)}`);
      void this.#write({ jsonrpc: '2.0', id, ...said }, id)?.catch(() => undefined);
    });
  }

  get isClosed(): boolean {
    return this.#closed !== null;
  }

  /** The other end does not read as fast as it is written to. */
  get congested(): boolean {
    return this.wire.backlog > HIGH_WATER;
  }

  pause(): void {
    this.wire.pause();
  }

  resume(): void {
    this.wire.resume();
  }

  close(): Promise<void> {
    return this.wire.close();
  }
}
