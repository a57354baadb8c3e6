import type { JsonObject, JsonValue } from '../core/json.ts';
import { isObject } from '../core/json.ts';
import { after, type Timer } from '../platform/timers.ts';
import { type Answer, CODES, failure, type Request, type RequestId } from './message.ts';

/** How long a client may take to come back with what it was asked for, in milliseconds. */
const COME_BACK_MS = 10 * 60_000;

/** A request inside, which outlives each of the client's requests that ask for it. */
export interface Held {
  readonly inner: string;
  readonly method: string;
  /** Id of the client's request that waits now; null between two rounds. */
  outer: RequestId | null;
  readonly wantsLog: boolean;
  /** What the server asks for, by the name that the client is told. */
  readonly asked: Map<string, { readonly id: RequestId; readonly request: JsonObject }>;
  token: string | null;
  late: Timer | null;
}

/** What rounds need of the wire that they belong to. */
export interface RoundPorts {
  /** Answers a request of the client. */
  readonly respond: (id: RequestId, answer: Answer) => void;
  /** Delivers a message inside. */
  readonly deliver: (message: JsonObject) => void;
  /** Makes a token that nobody can guess. */
  readonly newToken: () => string;
}

/**
 * Requests of a client of the stateless protocol: where a server asks it for something, its request is answered with
 * that, and what it brings with its next request goes to the server (specification 2026-07-28, multi-round-trip requests).
 */
export class Rounds {
  #next = 0;
  readonly #held = new Map<string, Held>();
  readonly #byOuter = new Map<RequestId, Held>();
  readonly #byToken = new Map<string, Held>();

  constructor(private readonly ports: RoundPorts) {}

  /** Begins a request; its id inside is `inner`. */
  begin(outer: RequestId, method: string, wantsLog: boolean): Held {
    this.#next += 1;
    const inner = `call-${this.#next}`;
    const held: Held = { inner, method, outer, wantsLog, asked: new Map(), token: null, late: null };
    this.#held.set(inner, held);
    this.#byOuter.set(outer, held);
    return held;
  }

  of(inner: RequestId | undefined): Held | undefined {
    return this.#held.get(String(inner));
  }

  waitingFor(outer: RequestId): Held | undefined {
    return this.#byOuter.get(outer);
  }

  end(held: Held): void {
    held.late?.cancel();
    this.#held.delete(held.inner);
    if (held.outer !== null) this.#byOuter.delete(held.outer);
    if (held.token !== null) this.#byToken.delete(held.token);
  }

  endAll(): void {
    for (const held of [...this.#held.values()]) this.end(held);
  }

  /** The client repeats a request with what it was asked for. */
  comeBack(outer: RequestId, token: JsonValue, { inputResponses }: JsonObject): void {
    const held = typeof token === 'string' ? this.#byToken.get(token) : undefined;
    if (!held || held.token === null) {
      this.ports.respond(outer, failure(CODES.invalidParams, 'requestState is not one that is waited for'));
      return;
    }
    this.#byToken.delete(held.token);
    held.late?.cancel();
    held.token = null;
    held.outer = outer;
    this.#byOuter.set(outer, held);
    const responses = isObject(inputResponses) ? inputResponses : {};
    for (const [key, { id }] of [...held.asked]) {
      const result = responses[key];
      if (!isObject(result)) continue;
      held.asked.delete(key);
      this.ports.deliver({ jsonrpc: '2.0', id, result });
    }
    if (held.asked.size > 0) this.#askBack(held);
  }

  /** A server's request, for which the call that it belongs to is answered with a result that asks back. */
  ask({ id, method, params }: Request, about: RequestId | undefined): void {
    const held = this.of(about);
    if (!held) {
      const why = 'a client of the stateless protocol is asked only while it waits for a call';
      queueMicrotask(() => this.#refuse(id, why));
      return;
    }
    this.#next += 1;
    held.asked.set(`input-${this.#next}`, { id, request: { method, ...(params ? { params } : {}) } });
    this.#askBack(held);
  }

  #refuse(id: RequestId, why: string): void {
    this.ports.deliver({ jsonrpc: '2.0', id, ...failure(CODES.refused, why) } as JsonObject);
  }

  #askBack(held: Held): void {
    const { outer } = held;
    if (outer === null) return;
    this.#byOuter.delete(outer);
    held.outer = null;
    const requestState = this.ports.newToken();
    held.token = requestState;
    this.#byToken.set(requestState, held);
    held.late = after(COME_BACK_MS, () => {
      for (const { id } of held.asked.values()) this.#refuse(id, 'the client did not come back');
      const params = { requestId: held.inner };
      this.ports.deliver({ jsonrpc: '2.0', method: 'notifications/cancelled', params });
      this.end(held);
    });
    const inputRequests = Object.fromEntries([...held.asked].map(([key, { request }]) => [key, request]));
    this.ports.respond(outer, { result: { resultType: 'input_required', inputRequests, requestState } });
  }
}
