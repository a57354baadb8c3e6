import { isObject, type JsonObject } from '../core/json.ts';
import { challengeIn } from '../platform/http-challenge.ts';
import { after, type Timer } from '../platform/timers.ts';
import type { Wire } from '../platform/wire.ts';
import { type Answer, CODES, failure, type Notification, type Request, type RequestId } from './message.ts';
import { Peer, type Sent } from './peer.ts';
import { STATELESS_CODES } from './stateless.ts';
import { StatelessServer } from './stateless-server.ts';
import { isLegacy } from './versions.ts';

/** A server that the proxy stands in front of. */
export interface ServerPlan {
  /** The human's name for it; part of tool names where there are several servers, and the key of its pin. */
  readonly name: string;
  /** Its command line or address, for humans. */
  readonly source: string;
  /** Folder that the relative paths of its tools start from. */
  readonly cwd: string;
  /** It is reached by HTTP. */
  readonly remote?: boolean;
  /** Connects anew. `authorization` is the client's own at any moment, where it is for this server. */
  readonly open: (authorization?: () => string | null) => Wire;
}

export interface UpstreamHandlers {
  readonly request: (request: Request) => void;
  readonly notification: (notification: Notification) => void;
  /** The connection was lost; it is tried again by itself. */
  readonly lost: () => void;
  /** The server answers again, as a new process or session. */
  readonly restored: () => void;
  /** It lets nobody in again by the authorization that the client has brought. */
  readonly shut: () => void;
}

/** First and longest wait before a lost server is tried again, in milliseconds; doubled each time (T-113). */
export const BACKOFF_MS = { first: 500, longest: 30_000 } as const;
/** How long a server may take to answer `initialize`, in milliseconds: the first run of a package is installed then. */
const INITIALIZE_MS = 120_000;

/** Most subscriptions that are kept. */
const MAX_SETTINGS = 1_000;

const NOTHING: Sent = { id: 0, answer: Promise.resolve(failure(CODES.gone, '')), settle: () => undefined };

/** One server: its connection, and the way back to it after it was lost. */
export class Upstream {
  #peer: Peer | null = null;
  /** The connection that is being made. */
  #coming: Peer | null = null;
  #hello: JsonObject | null = null;
  #told = false;
  #why = 'it was not started yet';
  #tries = 0;
  #retry: Timer | null = null;
  #closing = false;
  #isStateless = false;
  #result: JsonObject = {};
  /** What the client has set in the server, to be set again in the next one. */
  readonly #settings = new Map<string, readonly [method: string, params: JsonObject]>();

  constructor(
    readonly plan: ServerPlan,
    private readonly handlers: UpstreamHandlers,
    private readonly log: (text: string) => void,
  ) {}

  get name(): string {
    return this.plan.name;
  }

  /** What the server answered to `initialize`. */
  get welcome(): JsonObject {
    return this.#result;
  }

  /** Whether it said that it has a capability. */
  offers(capability: string): boolean {
    const { capabilities } = this.#result;
    return isObject(capabilities) && isObject(capabilities[capability]);
  }

  get isReady(): boolean {
    return this.#peer !== null;
  }

  /** Why it cannot be asked now. */
  get trouble(): string {
    return `MCP server ${this.name} is not running: ${this.#why}. It is started again by itself; try again in a moment.`;
  }

  /** Connects and says hello with the client's own words. What went wrong is the answer; then it is tried again. */
  async initialize(params: JsonObject): Promise<Answer> {
    this.#hello = params;
    const answer = await this.#connect(params);
    // Without another authorization it would say the same.
    if ('error' in answer && !challengeIn(answer.error)) this.#scheduleRetry();
    return answer;
  }

  /** Connects by the protocol that the server is known to speak, else by the older one and then by the stateless one. */
  async #connect(params: JsonObject): Promise<Answer> {
    if (this.#isStateless) return this.#open(params, true);
    const answer = await this.#open(params, false);
    if (!('error' in answer) || this.#closing || !this.#mayBeStateless(answer.error)) return answer;
    const second = await this.#open(params, true);
    if ('error' in second) return answer;
    this.#isStateless = true;
    return second;
  }

  /** Whether a refusal of `initialize` is one that a server without it gives. Over HTTP its status has any reason. */
  #mayBeStateless(error: JsonObject): boolean {
    const { code } = error;
    if (challengeIn(error)) return false;
    return (
      this.plan.remote === true ||
      code === CODES.methodNotFound ||
      code === CODES.invalidRequest ||
      code === STATELESS_CODES.unsupportedVersion
    );
  }

  async #open(params: JsonObject, stateless: boolean): Promise<Answer> {
    const opened = this.plan.open();
    const wire: Wire = stateless ? new StatelessServer(opened) : opened;
    let ready = false;
    const peer: Peer = new Peer(
      `MCP server ${this.name}`,
      wire,
      {
        request: this.handlers.request,
        notification: this.handlers.notification,
        drained: () => undefined,
        closed: (why) => {
          this.#why = why;
          if (ready && this.#peer === peer) this.#lost();
        },
      },
      this.log,
    );
    this.#coming = peer;
    peer.start();
    const sent = peer.request('initialize', params);
    const timer = after(INITIALIZE_MS, () =>
      sent.settle(failure(CODES.gone, `MCP server ${this.name} did not answer initialize`)),
    );
    const answer = await sent.answer;
    timer.cancel();
    this.#coming = null;
    if ('error' in answer || this.#closing) {
      if ('error' in answer) this.#why = String(answer.error.message ?? 'it refused to begin');
      void peer.close();
      return answer;
    }
    if (!isLegacy(answer.result.protocolVersion)) {
      this.#why = 'it named no protocol version that is known here';
      void peer.close();
      return failure(CODES.internal, `MCP server ${this.name} named no protocol version that is known here`);
    }
    wire.speaks?.(answer.result.protocolVersion);
    ready = true;
    this.#peer = peer;
    this.#result = answer.result;
    return answer;
  }

  #lost(): void {
    this.#peer = null;
    if (this.#closing) return;
    this.log(`MCP server ${this.name} is gone: ${this.#why}`);
    this.#scheduleRetry();
    this.handlers.lost();
  }

  #scheduleRetry(): void {
    if (this.#closing) return;
    const wait = Math.min(BACKOFF_MS.first * 2 ** this.#tries, BACKOFF_MS.longest);
    this.#tries += 1;
    this.#retry = after(wait, () => void this.#again());
  }

  async #again(): Promise<void> {
    if (this.#closing || !this.#hello) return;
    const answer = await this.#connect(this.#hello);
    if (this.#closing) return;
    if ('error' in answer) {
      this.log(`MCP server ${this.name} could not be started again: ${String(answer.error.message)}`);
      if (challengeIn(answer.error)) this.handlers.shut();
      else this.#scheduleRetry();
      return;
    }
    if (this.#told) this.#peer?.notify('notifications/initialized', undefined);
    for (const [method, params] of this.#settings.values()) void this.#peer?.request(method, params);
    this.log(`MCP server ${this.name} runs again`);
    this.handlers.restored();
  }

  /** Passes the client's `notifications/initialized` on, now and after each return. */
  initialized(params: JsonObject | undefined): void {
    this.#told = true;
    this.#peer?.notify('notifications/initialized', params);
  }

  /** A server that has answered a call is well: the next loss begins with the shortest wait again. */
  noteHealth(): void {
    this.#tries = 0;
  }

  /** Keeps the log level and the subscriptions: a server that was started again knows nothing of them. */
  #remember(method: string, params: JsonObject): void {
    if (method === 'logging/setLevel') this.#settings.set(method, [method, params]);
    const subscription = `of ${String(params.uri)}`;
    if (method === 'resources/unsubscribe') this.#settings.delete(subscription);
    if (method === 'resources/subscribe' && this.#settings.size < MAX_SETTINGS)
      this.#settings.set(subscription, [method, params]);
  }

  request(method: string, params: JsonObject | undefined): Sent {
    this.#remember(method, params ?? {});
    if (this.#peer) return this.#peer.request(method, params);
    return { ...NOTHING, answer: Promise.resolve(failure(CODES.gone, this.trouble)) };
  }

  notify(method: string, params: JsonObject | undefined): void {
    this.#peer?.notify(method, params);
  }

  respond(id: RequestId, answer: Answer): void {
    this.#peer?.respond(id, answer);
  }

  pause(): void {
    this.#peer?.pause();
  }

  resume(): void {
    this.#peer?.resume();
  }

  /** Ends the connection and the server's process. */
  async close(): Promise<void> {
    this.#closing = true;
    this.#retry?.cancel();
    await Promise.all([this.#peer?.close(), this.#coming?.close()]);
  }
}
