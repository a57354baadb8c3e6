import { messageOf } from '../core/errors.ts';
import { isObject, type JsonObject, type JsonValue } from '../core/json.ts';
import type { WireHandlers } from '../platform/wire.ts';
import { type Answer, CODES, failure, type Request, type RequestId, readMessage } from './message.ts';
import { META, metaOf, noticesOf } from './stateless.ts';
import { StatelessHeaders } from './stateless-headers.ts';
import { LATEST_LEGACY, STATELESS } from './versions.ts';
import { WrappedWire } from './wrapped-wire.ts';

/** Most rounds in which a server asks back before it answers one request. */
const MAX_ROUNDS = 32;
/** Notifications that a server of the stateless protocol has no use for. */
const UNSAID = new Set(['notifications/initialized', 'notifications/roots/list_changed']);

/** A request of ours that the server has not answered. */
interface Pending {
  readonly request: Request;
  rounds: number;
  /** Id under which it was sent last. */
  sent: number;
}

/** What a server asks back for one request, until all of it is answered. */
interface Round {
  readonly pending: Pending;
  readonly responses: Record<string, JsonValue>;
  readonly state: JsonValue | undefined;
  left: number;
}

/**
 * A server of the stateless protocol (2026-07-28) as one of those that begin with `initialize`: `server/discover` takes
 * its place, every request gets the envelope, and what the server asks back in its results comes as requests of its own.
 */
export class StatelessServer extends WrappedWire {
  #next = 0;
  #hello: JsonObject = {};
  #logLevel: JsonValue | undefined;
  #listening: number | null = null;
  #capabilities: JsonObject = {};
  readonly #pending = new Map<RequestId, Pending>();
  readonly #bySent = new Map<RequestId, (answer: Answer) => void>();
  /** By the id of the request that asks for one response. */
  readonly #asked = new Map<RequestId, { readonly round: Round; readonly key: string }>();
  readonly #subscribed = new Set<string>();
  readonly #headers = new StatelessHeaders();

  start(handlers: WireHandlers): void {
    this.handlers = handlers;
    this.wire.speaks?.(STATELESS, (message) => this.#headers.of(message));
    this.wire.start({ ...handlers, message: (value) => this.#take(value) });
  }

  // ---- from the server

  #take(value: JsonValue): void {
    const incoming = readMessage(value);
    if (incoming.kind === 'answer') this.#bySent.get(incoming.id)?.(incoming.answer);
    else if (incoming.kind === 'notification') this.#notified(value as JsonObject);
    else this.handlers?.message(value);
  }

  #notified(message: JsonObject): void {
    if (message.method === 'notifications/subscriptions/acknowledged') return;
    this.handlers?.message(message);
  }

  #answer(id: RequestId, answer: Answer): void {
    this.#pending.delete(id);
    this.handlers?.message({ jsonrpc: '2.0', id, ...answer } as JsonObject);
  }

  #answered(pending: Pending, answer: Answer): void {
    const { id, method } = pending.request;
    if (!this.#pending.has(id)) return;
    if (method === 'tools/list' && 'result' in answer) this.#headers.note(answer.result.tools);
    if ('error' in answer || answer.result.resultType !== 'input_required') {
      this.#answer(id, answer);
      return;
    }
    const { inputRequests, requestState } = answer.result;
    const asked = isObject(inputRequests) ? Object.entries(inputRequests) : [];
    pending.rounds += 1;
    if (pending.rounds > MAX_ROUNDS) {
      this.#answer(id, failure(CODES.refused, `the server asked back ${MAX_ROUNDS} times`));
      return;
    }
    const round: Round = { pending, responses: {}, state: requestState, left: asked.length };
    if (asked.length === 0) this.#again(round);
    for (const [key, one] of asked) {
      const { method, params } = isObject(one) ? one : {};
      this.#next += 1;
      const name = `input-${this.#next}`;
      this.#asked.set(name, { round, key });
      this.handlers?.message({
        jsonrpc: '2.0',
        id: name,
        method: String(method),
        ...(isObject(params) ? { params } : {}),
      });
    }
  }

  /** Sends the request again with what the server had asked for. */
  #again({ pending, responses, state }: Round): void {
    const { id, method, params } = pending.request;
    if (!this.#pending.has(id)) return;
    const more = {
      ...(Object.keys(responses).length === 0 ? {} : { inputResponses: responses }),
      ...(state === undefined ? {} : { requestState: state }),
    };
    void this.#ask(method, { ...params, ...more }, pending)?.catch((error) =>
      this.#answer(id, failure(CODES.gone, messageOf(error))),
    );
  }

  // ---- to the server

  send(message: object): Promise<void> | undefined {
    const incoming = readMessage(message as JsonValue);
    if (incoming.kind === 'request') return this.#request(incoming.request);
    if (incoming.kind === 'answer') return this.#responded(incoming.id, incoming.answer);
    if (incoming.kind === 'invalid' || UNSAID.has(incoming.notification.method)) return undefined;
    const { method, params } = incoming.notification;
    if (method !== 'notifications/cancelled')
      return this.wire.send({ jsonrpc: '2.0', method, ...(params ? { params } : {}) });
    const pending = this.#pending.get(params?.requestId as RequestId);
    if (!pending) return undefined;
    this.#pending.delete(pending.request.id);
    return this.wire.send({ jsonrpc: '2.0', method, params: { ...params, requestId: pending.sent } });
  }

  #request(request: Request): Promise<void> | undefined {
    const { id, method, params = {} } = request;
    const done = (result: JsonObject) => queueMicrotask(() => this.#answer(id, { result }));
    switch (method) {
      case 'initialize':
        this.#hello = params;
        return this.#discover(id);
      case 'ping':
        done({});
        return undefined;
      case 'logging/setLevel':
        this.#logLevel = params.level;
        done({});
        return undefined;
      case 'resources/subscribe':
      case 'resources/unsubscribe':
        if (method === 'resources/subscribe') this.#subscribed.add(String(params.uri));
        else this.#subscribed.delete(String(params.uri));
        this.#listen();
        done({});
        return undefined;
      default: {
        const pending: Pending = { request, rounds: 0, sent: 0 };
        this.#pending.set(id, pending);
        return this.#ask(method, params, pending);
      }
    }
  }

  #ask(method: string, params: JsonObject, pending: Pending): Promise<void> | undefined {
    return this.#send(method, params, (answer) => this.#answered(pending, answer), pending);
  }

  #send(
    method: string,
    params: JsonObject,
    answered: (answer: Answer) => void,
    pending?: Pending,
  ): Promise<void> | undefined {
    this.#next += 1;
    const id = this.#next;
    if (pending) pending.sent = id;
    this.#bySent.set(id, (answer) => {
      this.#bySent.delete(id);
      answered(answer);
    });
    const envelope: JsonObject = {
      [META.version]: STATELESS,
      [META.clientInfo]: this.#hello.clientInfo ?? { name: 'pactclaw', version: '0' },
      [META.capabilities]: this.#hello.capabilities ?? {},
      ...(this.#logLevel === undefined ? {} : { [META.logLevel]: this.#logLevel }),
    };
    const whole = { ...params, _meta: { ...metaOf(params), ...envelope } };
    return this.wire.send({ jsonrpc: '2.0', id, method, params: whole });
  }

  #discover(id: RequestId): Promise<void> | undefined {
    return this.#send('server/discover', {}, (answer) => {
      if ('error' in answer) {
        this.#answer(id, answer);
        return;
      }
      const { supportedVersions, capabilities, instructions } = answer.result;
      if (!Array.isArray(supportedVersions) || !supportedVersions.includes(STATELESS)) {
        this.#answer(id, failure(CODES.internal, `the server does not speak ${STATELESS}`));
        return;
      }
      this.#capabilities = isObject(capabilities) ? capabilities : {};
      const serverInfo = metaOf(answer.result)[META.serverInfo] ?? { name: 'unknown', version: '0' };
      this.#answer(id, {
        result: {
          protocolVersion: LATEST_LEGACY,
          capabilities: this.#capabilities,
          serverInfo,
          ...(typeof instructions === 'string' ? { instructions } : {}),
        },
      });
      this.#listen();
    });
  }

  /** Asks for the notices that an older server sends by itself; one stream at a time. */
  #listen(): void {
    const notifications = noticesOf(this.#capabilities, [...this.#subscribed]);
    if (this.#listening !== null)
      void this.wire
        .send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: this.#listening } })
        ?.catch(() => undefined);
    this.#listening = null;
    if (Object.keys(notifications).length === 0) return;
    const sent = this.#send('subscriptions/listen', { notifications }, () => undefined);
    this.#listening = this.#next;
    // Without notices the definitions are still compared whenever they are listed.
    void sent?.catch(() => undefined);
  }

  /** The client's answer to what the server had asked back. */
  #responded(id: RequestId, answer: Answer): undefined {
    const asked = this.#asked.get(id);
    if (!asked) return undefined;
    this.#asked.delete(id);
    const { round, key } = asked;
    if ('error' in answer) {
      // There is no place for an error among the responses: the request ends with it.
      this.#answer(round.pending.request.id, answer);
      return undefined;
    }
    round.responses[key] = answer.result;
    round.left -= 1;
    if (round.left === 0) this.#again(round);
    return undefined;
  }
}
