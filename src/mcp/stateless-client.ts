import { isObject, type JsonObject, type JsonValue } from '../core/json.ts';
import type { Wire, WireHandlers } from '../platform/wire.ts';
import {
  type Answer,
  CODES,
  failure,
  type Notification,
  type Request,
  type RequestId,
  readMessage,
} from './message.ts';
import { CHANGES, META, metaOf, STATELESS_CODES, withoutEnvelope } from './stateless.ts';
import { Rounds } from './stateless-rounds.ts';
import { LATEST_LEGACY, STATELESS } from './versions.ts';
import { WrappedWire } from './wrapped-wire.ts';

/** Methods that the stateless protocol no longer has. */
const GONE = new Set([
  'ping',
  'initialize',
  'logging/setLevel',
  'resources/subscribe',
  'resources/unsubscribe',
]);
/** Results that say how long they may be kept: none, since what is shown depends on the session. */
const CACHED = /\/list$|^resources\/read$|^server\/discover$/;

/**
 * A client of either protocol as one that begins with `initialize`. One that does so is passed on as it is. For one of
 * the stateless protocol (2026-07-28) the beginning is made up, its requests lose their envelope, and what a server asks
 * it becomes a result that asks back.
 */
export class EitherClient extends WrappedWire {
  #era: 'unknown' | 'legacy' | 'stateless' = 'unknown';
  #welcome: Promise<Answer> | null = null;
  #next = 0;
  #logLevel: JsonValue | undefined;
  /** Answers to requests of our own, by their id. */
  readonly #own = new Map<string, (answer: Answer) => void>();
  readonly #rounds: Rounds;
  readonly #listens = new Map<RequestId, JsonObject>();

  constructor(wire: Wire, newToken: () => string) {
    super(wire);
    this.#rounds = new Rounds({
      respond: (id, answer) => void this.#respond(id, answer),
      deliver: (message) => this.handlers?.message(message),
      newToken,
    });
  }

  start(handlers: WireHandlers): void {
    this.handlers = handlers;
    this.wire.start({ ...handlers, message: (value) => this.#take(value) });
  }

  // ---- from the client

  #take(value: JsonValue): void {
    const method = isObject(value) ? value.method : undefined;
    if (this.#era === 'unknown' && typeof method === 'string') {
      const isStateless =
        method === 'server/discover' ||
        metaOf(isObject(value) ? value.params : null)[META.version] !== undefined;
      if (isStateless) this.#era = 'stateless';
      else if (method === 'initialize') this.#era = 'legacy';
    }
    // A client that probes and falls back begins anew with `initialize`.
    if (this.#era === 'stateless' && method === 'initialize' && this.#welcome === null) this.#era = 'legacy';
    if (this.#era !== 'stateless') {
      this.handlers?.message(value);
      return;
    }
    const incoming = readMessage(value);
    if (incoming.kind === 'request') void this.#request(incoming.request);
    else if (incoming.kind === 'notification') this.#notified(incoming.notification);
    else if (incoming.kind === 'invalid') this.handlers?.message(value);
  }

  #deliver(method: string, params: JsonObject | undefined, id?: string): void {
    const named = id === undefined ? {} : { id };
    this.handlers?.message({ jsonrpc: '2.0', ...named, method, ...(params ? { params } : {}) });
  }

  #ask(method: string, params: JsonObject): Promise<Answer> {
    this.#next += 1;
    const id = `own-${this.#next}`;
    return new Promise((resolve) => {
      this.#own.set(id, resolve);
      this.#deliver(method, params, id);
    });
  }

  #begin(meta: JsonObject): Promise<Answer> {
    this.#welcome ??= this.#ask('initialize', {
      protocolVersion: LATEST_LEGACY,
      capabilities: meta[META.capabilities] ?? {},
      clientInfo: meta[META.clientInfo] ?? { name: 'unknown', version: '0' },
    }).then((answer) => {
      if ('error' in answer) this.#welcome = null;
      else this.#deliver('notifications/initialized', undefined);
      return answer;
    });
    return this.#welcome;
  }

  async #request({ id, method, params = {} }: Request): Promise<void> {
    const meta = metaOf(params);
    const version = meta[META.version];
    if (typeof version !== 'string' || !isObject(meta[META.capabilities])) {
      const why = `_meta must have ${META.version} and ${META.capabilities}`;
      this.#respond(id, failure(CODES.invalidParams, why));
      return;
    }
    if (version !== STATELESS) {
      const data = { supported: [STATELESS], requested: version };
      this.#respond(id, failure(STATELESS_CODES.unsupportedVersion, 'Unsupported protocol version', data));
      return;
    }
    if (GONE.has(method)) {
      this.#respond(id, failure(CODES.methodNotFound, `${method} is not part of MCP ${STATELESS}`));
      return;
    }
    const welcome = await this.#begin(meta);
    if ('error' in welcome) this.#respond(id, welcome);
    else if (method === 'server/discover') this.#respond(id, { result: this.#discovered(welcome.result) });
    else if (method === 'subscriptions/listen') this.#listen(id, params);
    else this.#call(id, method, params);
  }

  #discovered({ capabilities, instructions, serverInfo }: JsonObject): JsonObject {
    const { tasks: _older, ...offered } = isObject(capabilities) ? capabilities : {};
    return this.#completed('server/discover', {
      supportedVersions: [STATELESS],
      capabilities: offered,
      ...(instructions === undefined ? {} : { instructions }),
      _meta: { [META.serverInfo]: serverInfo ?? { name: 'pactclaw', version: '0' } },
    });
  }

  #completed(method: string, result: JsonObject): JsonObject {
    const kept = CACHED.test(method) ? { ttlMs: 0, cacheScope: 'private' } : {};
    return { resultType: 'complete', ...result, ...kept };
  }

  #call(id: RequestId, method: string, params: JsonObject): void {
    const token = params.requestState;
    if (token !== undefined) {
      this.#rounds.comeBack(id, token, params);
      return;
    }
    const level = metaOf(params)[META.logLevel];
    if (level !== undefined && level !== this.#logLevel) {
      this.#logLevel = level;
      void this.#ask('logging/setLevel', { level });
    }
    const { inner } = this.#rounds.begin(id, method, level !== undefined);
    this.#deliver(method, withoutEnvelope(params), inner);
  }

  #listen(id: RequestId, params: JsonObject): void {
    // Of a task its client hears by asking: no notices of it are promised.
    const { taskIds: _, ...wanted } = isObject(params.notifications) ? params.notifications : {};
    this.#listens.set(id, wanted);
    const uris = Array.isArray(wanted.resourceSubscriptions) ? wanted.resourceSubscriptions : [];
    for (const uri of uris) void this.#ask('resources/subscribe', { uri });
    const notice = { notifications: wanted, _meta: { [META.subscription]: id } };
    void this.#write(
      { jsonrpc: '2.0', method: 'notifications/subscriptions/acknowledged', params: notice },
      id,
    );
  }

  #notified({ method, params = {} }: Notification): void {
    if (method !== 'notifications/cancelled') {
      this.#deliver(method, withoutEnvelope(params));
      return;
    }
    const { requestId, ...others } = params;
    const held = this.#rounds.waitingFor(requestId as RequestId);
    if (held) this.#deliver(method, { ...others, requestId: held.inner });
    if (held) this.#rounds.end(held);
    this.#listens.delete(requestId as RequestId);
  }

  // ---- to the client

  send(message: object, about?: RequestId): Promise<void> | undefined {
    if (this.#era !== 'stateless') return this.wire.send(message, about);
    const incoming = readMessage(message as JsonValue);
    if (incoming.kind === 'answer') return this.#answered(incoming.id, incoming.answer);
    if (incoming.kind === 'request') {
      this.#rounds.ask(incoming.request, about);
      return undefined;
    }
    if (incoming.kind === 'notification') return this.#tell(incoming.notification, about);
    return this.wire.send(message, about);
  }

  #answered(id: RequestId, answer: Answer): Promise<void> | undefined {
    const own = this.#own.get(String(id));
    if (own) {
      this.#own.delete(String(id));
      own(answer);
      return undefined;
    }
    const held = this.#rounds.of(id);
    if (!held) return undefined;
    const { outer, method } = held;
    this.#rounds.end(held);
    if (outer === null) return undefined;
    return this.#respond(
      outer,
      'error' in answer ? answer : { result: this.#completed(method, answer.result) },
    );
  }

  #tell({ method, params }: Notification, about: RequestId | undefined): undefined {
    const held = about === undefined ? undefined : this.#rounds.of(about);
    const change = Object.entries(CHANGES).find(([, notice]) => notice === method)?.[0];
    if (change !== undefined || method === 'notifications/resources/updated') {
      for (const [id, wanted] of this.#listens) {
        const uris = Array.isArray(wanted.resourceSubscriptions) ? wanted.resourceSubscriptions : [];
        if (change === undefined ? !uris.includes(params?.uri ?? null) : wanted[change] !== true) continue;
        const meta = { ...metaOf(params), [META.subscription]: id };
        void this.#write({ jsonrpc: '2.0', method, params: { ...params, _meta: meta } }, id);
      }
      return undefined;
    }
    if (method === 'notifications/cancelled' || held?.outer == null) return undefined;
    if (method === 'notifications/message' && !held.wantsLog) return undefined;
    void this.#write({ jsonrpc: '2.0', method, ...(params ? { params } : {}) }, held.outer);
    return undefined;
  }

  #respond(id: RequestId, answer: Answer): Promise<void> | undefined {
    return this.#write({ jsonrpc: '2.0', id, ...answer }, id);
  }

  #write(message: object, about: RequestId): Promise<void> | undefined {
    return this.wire.send(message, about)?.catch(() => undefined);
  }

  override close(): Promise<void> {
    this.#rounds.endAll();
    return super.close();
  }
}
