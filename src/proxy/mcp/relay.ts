import { isObject, type JsonObject } from '../../core/json.ts';
import { CODES, failure, type Notification, type Request, type RequestId } from '../../mcp/message.ts';
import type { Peer, Sent } from '../../mcp/peer.ts';
import type { Upstream } from '../../mcp/upstream.ts';
import type { Flights } from './flights.ts';

/** Most requests of one server that may wait for the client at once. */
const MAX_ASKING = 64;

/** A server's request at the client. */
interface Asked {
  readonly upstream: Upstream;
  readonly sent: Sent;
  /** Progress token of the server's own, where ours stands in its place. */
  readonly token?: RequestId;
}

function tokenOf(params: JsonObject | undefined): RequestId | undefined {
  const meta = params?._meta;
  const token = isObject(meta) ? meta.progressToken : undefined;
  return typeof token === 'string' || typeof token === 'number' ? token : undefined;
}

/**
 * What goes from servers to the client: their notifications, and their requests (sampling, elicitation, roots) with
 * the answers. Messages are passed on as they are but for the ids, so that what we do not know stays intact.
 */
export class Relay {
  /** By server and the server's id. */
  readonly #asked = new Map<string, Asked>();
  readonly #tokens = new Map<string, Asked>();
  #count = 0;

  constructor(
    private readonly client: Peer,
    private readonly flights: Flights,
    /** With several servers their progress tokens could be the same; ours take their place. */
    private readonly alone: boolean,
    /** Why a server may not ask the client for anything now; null when it may. */
    private readonly whyNot: (upstream: Upstream) => Promise<string | null>,
  ) {}

  #key(upstream: Upstream, id: RequestId): string {
    return `${upstream.name} ${typeof id} ${id}`;
  }

  /** Passes a server's request on, and its answer back. */
  async request(upstream: Upstream, { id, method, params }: Request): Promise<void> {
    const key = this.#key(upstream, id);
    const why = method === 'ping' ? null : await this.whyNot(upstream);
    if (why !== null) {
      upstream.respond(id, failure(CODES.refused, why));
      return;
    }
    if (this.#asked.has(key)) {
      upstream.respond(id, failure(CODES.invalidRequest, 'a request with this id is in flight already'));
      return;
    }
    if (this.#asked.size >= MAX_ASKING) {
      upstream.respond(id, failure(CODES.refused, 'too many requests are in flight already'));
      return;
    }
    const token = this.alone ? undefined : tokenOf(params);
    let ours: string | undefined;
    let passed = params;
    if (token !== undefined) {
      this.#count += 1;
      ours = `pactclaw-${this.#count}`;
      const meta = isObject(params?._meta) ? params._meta : {};
      passed = { ...params, _meta: { ...meta, progressToken: ours } };
    }
    const sent = this.client.request(method, passed, this.flights.relatedTo(upstream));
    const asked: Asked = { upstream, sent, ...(token === undefined ? {} : { token }) };
    this.#asked.set(key, asked);
    if (ours !== undefined) this.#tokens.set(ours, asked);
    const answer = await sent.answer;
    this.#asked.delete(key);
    if (ours !== undefined) this.#tokens.delete(ours);
    upstream.respond(id, answer);
  }

  /** Passes a server's notification on. */
  notification(upstream: Upstream, { method, params }: Notification): void {
    if (method === 'notifications/cancelled') {
      const { requestId } = params ?? {};
      const known = typeof requestId === 'string' || typeof requestId === 'number';
      const asked = known ? this.#asked.get(this.#key(upstream, requestId)) : undefined;
      if (asked) this.#takeBack(asked, params ?? {}, 'the server took it back');
      return;
    }
    const token = method === 'notifications/progress' ? params?.progressToken : undefined;
    const standsAlone = method.startsWith('notifications/resources/') || method.endsWith('/list_changed');
    this.client.notify(method, params, standsAlone ? undefined : this.flights.relatedTo(upstream, token));
  }

  #takeBack({ sent }: Asked, params: JsonObject, why: string): void {
    this.client.notify('notifications/cancelled', { ...params, requestId: sent.id });
    sent.settle(failure(CODES.refused, why));
  }

  /** The client tells how far it is with a server's request. */
  progress(params: JsonObject): Upstream | null {
    const asked = this.#tokens.get(String(params.progressToken));
    if (!asked || asked.token === undefined) return null;
    asked.upstream.notify('notifications/progress', { ...params, progressToken: asked.token });
    return asked.upstream;
  }

  /** A server is gone: what it asked the client for is of no use any more. */
  lost(upstream: Upstream): void {
    for (const asked of this.#asked.values())
      if (asked.upstream === upstream)
        this.#takeBack(asked, { reason: 'the server is gone' }, 'the server is gone');
  }
}
