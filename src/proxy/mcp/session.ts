import type { JsonObject } from '../../core/json.ts';
import type { EventOrigin } from '../../hooks/requests.ts';
import { Catalogues } from '../../mcp/catalogue.ts';
import { type Answer, CODES, failure, type Notification, type Request } from '../../mcp/message.ts';
import { Peer } from '../../mcp/peer.ts';
import { EitherClient } from '../../mcp/stateless-client.ts';
import { type ServerPlan, Upstream } from '../../mcp/upstream.ts';
import { newUuid } from '../../platform/clock.ts';
import type { Wire } from '../../platform/wire.ts';
import { connect, type Hello, helloOf, selectForHuman } from './beginning.ts';
import { Calls, failureOf } from './calls.ts';
import { type Flight, Flights } from './flights.ts';
import { Footing } from './footing.ts';
import { Governor } from './governor.ts';
import { Passing } from './passing.ts';
import type { ProxyPorts, SessionOptions } from './ports.ts';
import { Relay } from './relay.ts';
import { Routes } from './routes.ts';
import { Tasks } from './tasks.ts';
import { ToolList } from './tool-list.ts';
import { welcomeOf } from './welcome.ts';

type Phase = 'new' | 'beginning' | 'open' | 'closed';

/** One client connection in front of its servers: one session of the engine. */
export class Session {
  readonly #client: Peer;
  readonly #upstreams: readonly Upstream[];
  readonly #tools: ToolList;
  readonly #flights = new Flights();
  readonly #relay: Relay;
  readonly #governor: Governor;
  readonly #footing: Footing;
  readonly #calls: Calls;
  readonly #passing: Passing;
  #phase: Phase = 'new';
  #hello: Hello | null = null;
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
    const catalogues = new Catalogues(ports.checkPins);
    this.#relay = new Relay(this.#client, this.#flights, options.servers.length === 1, (upstream) =>
      this.#tools.whyNotAsk(upstream),
    );
    const routes = new Routes(this.#upstreams, async (one) => (await catalogues.of(one)).held !== null);
    this.#footing = new Footing(options.sessionId, ports, () => this.#moved());
    this.#tools = new ToolList(this.#upstreams, catalogues, this.#footing, ports, () => this.#tellTools());
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
      catalogues,
      routes,
      this.#governor,
      this.#footing,
    );
    this.#passing = new Passing(this.#upstreams, routes, this.#calls);
  }

  get #alone(): boolean {
    return this.options.servers.length === 1;
  }

  get #origin(): EventOrigin {
    return {
      sessionId: this.options.sessionId,
      host: this.#hello?.host ?? 'mcp',
      transcript: null,
      door: 'mcp',
    };
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
          this.#calls.tasks.lost(upstream);
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
    else if (Tasks.isNotice(notification.method)) void this.#ofTask(upstream, notification);
    else this.#relay.notification(upstream, notification);
    if (this.#client.congested) upstream.pause();
  }

  async #ofTask(upstream: Upstream, notification: Notification): Promise<void> {
    const heard = await this.#calls.tasks.heard(upstream, notification);
    if (heard) this.#relay.notification(upstream, heard);
  }

  #changed(upstream: Upstream): void {
    if (this.#phase === 'open') this.#tools.changed(upstream);
  }

  /** Before the handshake servers are told no; those that wanted the client's roots are told to ask again. */
  #moved(): boolean {
    if (this.#footing.isActing && this.#hello?.hasRoots)
      this.#toServers('notifications/roots/list_changed', undefined);
    return this.#tellTools();
  }

  #tellTools(): boolean {
    if (this.#phase !== 'open') return false;
    this.#client.notify('notifications/tools/list_changed', undefined);
    return true;
  }

  /** What is pinned has changed: a server may be held back no longer, or only now. */
  async recheck(): Promise<void> {
    if (this.#phase === 'open') await this.#tools.recheck();
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
    if (method === 'tools/list') return this.#tools.answer(params);
    if (method === 'tools/call') return this.#calls.callTool(flight, params);
    if (Tasks.takes(method)) return this.#calls.aboutTasks(flight, params);
    if (Passing.takes(method)) return this.#passing.pass(flight);
    return this.#calls.request(flight, params);
  }

  async #initialize(params: JsonObject): Promise<Answer> {
    if (this.#phase !== 'new')
      return failure(CODES.invalidRequest, 'initialize comes once, at the beginning');
    const hello = helloOf(params);
    if (!('host' in hello)) return hello;
    this.#phase = 'beginning';
    this.#hello = hello;
    const told = await connect(hello, this.#upstreams, this.#governor, this.ports.log);
    if (typeof told !== 'string') {
      this.#phase = 'new';
      return told;
    }
    this.#phase = 'open';
    const { intent } = this.options;
    const refused = intent === null ? null : await selectForHuman(intent, this.#calls);
    if (refused !== null) return failure(CODES.refused, `--intent ${intent} was refused: ${refused}`);
    return { result: welcomeOf(this.#upstreams, told, this.ports.version) };
  }

  /** Ends everything: servers first, so that nothing of them runs any more when their calls are reported as ended. */
  async close(): Promise<void> {
    if (this.#phase === 'closed') return this.ended;
    const begun = this.#phase !== 'new';
    this.#phase = 'closed';
    await Promise.all(this.#upstreams.map((upstream) => upstream.close()));
    this.#calls.tasks.lost();
    await this.#governor.idle();
    if (begun) await this.#governor.end().catch(() => undefined);
    await this.#client.close();
    this.#ended();
  }
}
