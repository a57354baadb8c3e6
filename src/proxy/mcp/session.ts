import { messageOf, PactError } from '../../core/errors.ts';
import { isObject, type JsonObject } from '../../core/json.ts';
import { UNSEEN } from '../../core/unseen.ts';
import { HANDSHAKE_TOOL } from '../../core/words.ts';
import type { EventOrigin } from '../../hooks/requests.ts';
import { Catalogues } from '../../mcp/catalogue.ts';
import {
  type Answer,
  CODES,
  failure,
  type Notification,
  type Request,
  toolError,
} from '../../mcp/message.ts';
import { Peer } from '../../mcp/peer.ts';
import { EitherClient } from '../../mcp/stateless-client.ts';
import { type ServerPlan, Upstream } from '../../mcp/upstream.ts';
import { clampVersion } from '../../mcp/versions.ts';
import { newUuid } from '../../platform/clock.ts';
import type { Wire } from '../../platform/wire.ts';
import { Calls } from './calls.ts';
import { type Flight, Flights } from './flights.ts';
import { Footing } from './footing.ts';
import { Governor } from './governor.ts';
import { ownTool } from './own-tools.ts';
import type { ProxyPorts, SessionOptions } from './ports.ts';
import { Relay } from './relay.ts';
import { Routes } from './routes.ts';
import { spelledOut } from './spelled.ts';
import { listTools } from './tool-list.ts';
import { welcomeOf } from './welcome.ts';

/** Requests that show or set nothing which an agent could act by; lists are among them. */
const PASSED: ReadonlySet<string> = new Set(['logging/setLevel', 'resources/unsubscribe']);
const INTERCEPTED = `State Violation: Reasoning Intercept Required\nThe session has not made the handshake (${HANDSHAKE_TOOL}): servers may not ask for anything before.`;
/** Note that the human's own selection is recorded with. */
const BY_HUMAN = 'selected by the human who started the proxy, with --intent';
const MAX_HOST = 64;

type Phase = 'new' | 'beginning' | 'open' | 'closed';

/** What went wrong before a call could be judged: it is not run. */
function failureOf(error: unknown): Answer {
  if (error instanceof PactError) return toolError(`${error.message}\n${error.remedy}`);
  return failure(CODES.internal, messageOf(error));
}

/** The client's name for itself as a word that can be recorded. */
function hostOf(params: JsonObject): string {
  const { clientInfo } = params;
  const name = isObject(clientInfo) && typeof clientInfo.name === 'string' ? clientInfo.name : '';
  return name.replace(/[^\w. -]/g, '').slice(0, MAX_HOST) || 'mcp';
}

/** One client connection in front of its servers: one session of the engine. */
export class Session {
  readonly #client: Peer;
  readonly #upstreams: readonly Upstream[];
  readonly #catalogues: Catalogues;
  readonly #flights = new Flights();
  readonly #relay: Relay;
  readonly #routes: Routes;
  readonly #governor: Governor;
  readonly #footing: Footing;
  readonly #calls: Calls;
  #phase: Phase = 'new';
  #host = 'mcp';
  #hasRoots = false;
  #ended: () => void = () => undefined;
  /** Resolves when the client is gone and everything of the session has ended. */
  readonly ended = new Promise<void>((resolve) => {
    this.#ended = resolve;
  });

  constructor(
    private readonly wire: Wire,
    private readonly options: SessionOptions,
    private readonly ports: ProxyPorts,
  ) {
    this.#client = new Peer(
      'the client',
      new EitherClient(wire, newUuid),
      {
        request: (request) => void this.#take(request),
        notification: (notification) => this.#notification(notification),
        closed: () => void this.close(),
        drained: () => {
          for (const upstream of this.#upstreams) upstream.resume();
        },
      },
      ports.log,
      { answersFaults: true },
    );
    this.#upstreams = options.servers.map((plan) => this.#connect(plan));
    this.#catalogues = new Catalogues(ports.checkPins, UNSEEN);
    this.#relay = new Relay(this.#client, this.#flights, options.servers.length === 1, (upstream) =>
      this.#whyNot(upstream),
    );
    this.#routes = new Routes(this.#upstreams, async (one) => (await this.#catalogues.of(one)).held !== null);
    this.#footing = new Footing(options.sessionId, ports, () => this.#moved());
    this.#governor = new Governor(
      ports.engine,
      () => this.#origin,
      () => this.#footing.look(),
      ports.log,
    );
    this.#calls = new Calls(
      options,
      ports,
      this.#upstreams,
      this.#catalogues,
      this.#routes,
      this.#governor,
      this.#footing,
    );
  }

  get #alone(): boolean {
    return this.options.servers.length === 1;
  }

  get #origin(): EventOrigin {
    return { sessionId: this.options.sessionId, host: this.#host, transcript: null, door: 'mcp' };
  }

  #connect(plan: ServerPlan): Upstream {
    // With several servers nobody can tell which one the client's authorization is for.
    const authorization = () => (this.#alone ? (this.wire.authorization ?? null) : null);
    const upstream: Upstream = new Upstream(
      { ...plan, open: () => plan.open(authorization) },
      {
        request: (request) => void this.#relay.request(upstream, request),
        notification: (notification) => this.#fromServer(upstream, notification),
        lost: () => {
          this.#relay.lost(upstream);
          this.#changed(upstream);
        },
        restored: () => this.#changed(upstream),
        // The client begins anew, and is told then what the server demands.
        shut: () => void this.close(),
      },
      this.ports.log,
    );
    return upstream;
  }

  /** Begins to serve the client. */
  start(): void {
    this.#client.start();
  }

  // ---- what servers send

  #fromServer(upstream: Upstream, notification: Notification): void {
    if (notification.method === 'notifications/tools/list_changed') this.#changed(upstream);
    else this.#relay.notification(upstream, notification);
    if (this.#client.congested) upstream.pause();
  }

  /**
   * A server's tools may be others now: they are read, and held against the pins, before anything of it runs again.
   * Not at once, or a server that says so whenever it is asked would be asked for ever.
   */
  #changed(upstream: Upstream): void {
    if (this.#phase !== 'open') return;
    this.#catalogues.forget(upstream);
    if (this.#footing.isActing) this.#tellTools();
  }

  /** Before the handshake servers are told no; those that wanted the client's roots are told to ask again. */
  #moved(): boolean {
    if (this.#footing.isActing && this.#hasRoots)
      this.#toServers('notifications/roots/list_changed', undefined);
    return this.#tellTools();
  }

  /** Why a server may not ask the client for sampling, elicitation or roots now. */
  async #whyNot(upstream: Upstream): Promise<string | null> {
    await this.#footing.look();
    return this.#footing.isActing ? (await this.#catalogues.of(upstream)).held : INTERCEPTED;
  }

  #tellTools(): boolean {
    if (this.#phase !== 'open') return false;
    this.#client.notify('notifications/tools/list_changed', undefined);
    return true;
  }

  /** What is pinned has changed: a server may be held back no longer, or only now. */
  async recheck(): Promise<void> {
    if (this.#phase !== 'open') return;
    for (const upstream of this.#upstreams) {
      const { held } = await this.#catalogues.of(upstream);
      if ((await this.#catalogues.renew(upstream)).held !== held && this.#footing.isActing) this.#tellTools();
    }
  }

  /** The registry has changed: the open intents may be others, and the session's own may be closed. */
  intentsChanged(): Promise<void> {
    return this.#footing.intentsChanged();
  }

  // ---- what the client sends

  #notification({ method, params }: Notification): void {
    switch (method) {
      case 'notifications/initialized':
        for (const upstream of this.#upstreams) upstream.initialized(params);
        break;
      case 'notifications/cancelled':
        this.#flights.cancel(params ?? {});
        break;
      case 'notifications/progress':
        if (params && this.#relay.progress(params)) break;
        this.#toServers(method, params);
        break;
      default:
        this.#toServers(method, params);
    }
  }

  #toServers(method: string, params: JsonObject | undefined): void {
    for (const upstream of this.#upstreams) upstream.notify(method, params);
  }

  async #take(request: Request): Promise<void> {
    const flight = this.#flights.begin(request);
    if (typeof flight === 'string') {
      this.#client.respond(request.id, failure(CODES.invalidRequest, flight));
      return;
    }
    const answer = await this.#answer(flight).catch(failureOf);
    this.#flights.end(flight);
    if (!flight.cancelled) this.#client.respond(request.id, answer);
  }

  #answer(flight: Flight): Promise<Answer> {
    const { method, params = {} } = flight.request;
    if (method === 'ping') return Promise.resolve({ result: {} });
    if (method === 'initialize') return this.#initialize(params);
    if (this.#phase !== 'open')
      return Promise.resolve(
        failure(CODES.invalidRequest, 'the session has not begun: send initialize first'),
      );
    if (method === 'tools/list') return this.#listTools(params);
    if (method === 'tools/call') return this.#calls.callTool(flight, params);
    if (PASSED.has(method) || Routes.isList(method)) return this.#pass(flight);
    return this.#calls.request(flight, params);
  }

  async #initialize(params: JsonObject): Promise<Answer> {
    if (this.#phase !== 'new')
      return failure(CODES.invalidRequest, 'initialize comes once, at the beginning');
    if (typeof params.protocolVersion !== 'string')
      return failure(CODES.invalidParams, 'initialize names no protocolVersion');
    const hello = { ...params, protocolVersion: clampVersion(params.protocolVersion) };
    this.#phase = 'beginning';
    this.#host = hostOf(params);
    this.#hasRoots = isObject(params.capabilities) && isObject(params.capabilities.roots);
    const [told, ...answers] = await Promise.all([
      this.#governor.begin(),
      ...this.#upstreams.map((upstream) => upstream.initialize(hello)),
    ]);
    const failed = answers.find((answer) => 'error' in answer);
    if (failed && answers.every((answer) => 'error' in answer)) {
      this.#phase = 'new';
      return failed;
    }
    for (const [index, answer] of answers.entries())
      if ('error' in answer)
        this.ports.log(
          `MCP server ${this.#upstreams[index]?.name} could not be started: ${String(answer.error.message)}`,
        );
    this.#phase = 'open';
    const { intent } = this.options;
    if (intent !== null) {
      const answer = await this.#selectForHuman(intent);
      if (answer !== null) return failure(CODES.refused, `--intent ${intent} was refused: ${answer}`);
    }
    return { result: welcomeOf(this.#upstreams, told, this.ports.version) };
  }

  /** The human's own handshake, by the same way as an agent's. Null when it was accepted, else why not. */
  async #selectForHuman(intent: string): Promise<string | null> {
    const tool = ownTool(HANDSHAKE_TOOL);
    if (!tool) return 'there is no handshake';
    const answer = await this.#calls.callOwn(tool, { intent_id: intent, reasoning: BY_HUMAN });
    if ('error' in answer) return String(answer.error.message);
    if (answer.result.isError !== true) return null;
    const [first] = Array.isArray(answer.result.content) ? answer.result.content : [];
    return isObject(first) ? String(first.text) : 'no reason was given';
  }

  async #listTools(params: JsonObject): Promise<Answer> {
    if (params.cursor !== undefined) return failure(CODES.invalidParams, 'there is one page only');
    await this.#footing.look();
    const { isActing } = this.#footing;
    const { tools, held } = await listTools(isActing, this.#upstreams, this.#catalogues, this.ports.own);
    for (const text of held) this.ports.log(text);
    return { result: { tools } };
  }

  /** What needs no handshake goes to its server as it is. */
  async #pass(flight: Flight): Promise<Answer> {
    const { method, params } = flight.request;
    if (!this.#alone && method === 'logging/setLevel') return this.#toAll(flight, 'logging');
    if (Routes.isList(method)) return spelledOut(await this.#listOf(flight));
    const route = await this.#routes.route(params);
    if (!route) return failure(CODES.methodNotFound, `nobody can tell which server ${method} is for`);
    return this.#calls.pass(flight, route);
  }

  async #listOf(flight: Flight): Promise<Answer> {
    const { method, params } = flight.request;
    const [only] = this.#upstreams;
    return this.#alone && only
      ? this.#calls.pass(flight, { upstream: only, params })
      : this.#routes.list(method);
  }

  async #toAll({ request }: Flight, capability: string): Promise<Answer> {
    const asked = this.#upstreams.filter((one) => one.isReady && one.offers(capability));
    await Promise.all(asked.map((one) => one.request(request.method, request.params).answer));
    return { result: {} };
  }

  /** Ends everything: servers first, so that nothing of them runs any more when their calls are reported as ended. */
  async close(): Promise<void> {
    if (this.#phase === 'closed') return this.ended;
    const begun = this.#phase !== 'new';
    this.#phase = 'closed';
    await Promise.all(this.#upstreams.map((upstream) => upstream.close()));
    await this.#governor.idle();
    if (begun) await this.#governor.end().catch(() => undefined);
    await this.#client.close();
    this.#ended();
  }
}
