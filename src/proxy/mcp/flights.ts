import { isObject, type JsonObject } from '../../core/json.ts';
import { type Answer, CODES, failure, type Request, type RequestId } from '../../mcp/message.ts';
import type { Sent } from '../../mcp/peer.ts';
import type { Upstream } from '../../mcp/upstream.ts';
import { after, type Timer } from '../../platform/timers.ts';

/** How long a server may still answer a call that was cancelled, in milliseconds: it may be about to end its work. */
const CANCEL_GRACE_MS = 2_000;

/** A request of the client that has not been answered. */
export class Flight {
  #sent: Sent | null = null;
  #timers: Timer[] = [];
  upstream: Upstream | null = null;
  /** The client has taken it back, so nobody waits for the answer. */
  cancelled = false;

  constructor(readonly request: Request) {}

  /** The progress token that the client gave (specification, Progress). */
  get progressToken(): unknown {
    const meta = this.request.params?._meta;
    return isObject(meta) ? meta.progressToken : undefined;
  }

  /** Passes the request on, unless it was cancelled before. Never rejects. */
  async forward(
    upstream: Upstream,
    params: JsonObject | undefined,
    timeoutMs: number | null,
  ): Promise<Answer> {
    if (this.cancelled) return failure(CODES.refused, 'it was cancelled before it ran');
    const { method } = this.request;
    const sent = upstream.request(method, params);
    this.#sent = sent;
    this.upstream = upstream;
    if (timeoutMs !== null)
      this.#timers.push(
        after(timeoutMs, () => {
          const why = `MCP server ${upstream.name} did not answer ${method} within ${timeoutMs / 1000} s`;
          this.#takeBack({ reason: why });
          sent.settle(failure(CODES.gone, why));
        }),
      );
    const answer = await sent.answer;
    for (const timer of this.#timers) timer.cancel();
    return answer;
  }

  #takeBack(params: JsonObject): void {
    if (this.#sent) this.upstream?.notify('notifications/cancelled', { ...params, requestId: this.#sent.id });
  }

  /** The client takes the request back. What it began ends soon, with or without the server's word. */
  cancel(params: JsonObject): void {
    if (this.cancelled) return;
    this.cancelled = true;
    this.#takeBack(params);
    const sent = this.#sent;
    if (sent)
      this.#timers.push(
        after(CANCEL_GRACE_MS, () => sent.settle(failure(CODES.refused, 'it was cancelled'))),
      );
  }
}

/** Most requests of one client that may be in flight at once. */
const MAX_FLIGHTS = 256;

/** The client's requests that have not been answered, by the client's ids. */
export class Flights {
  readonly #flights = new Map<RequestId, Flight>();

  /** Begins a request; the text says why not. */
  begin(request: Request): Flight | string {
    if (this.#flights.has(request.id)) return `a request with id ${String(request.id)} is in flight already`;
    if (this.#flights.size >= MAX_FLIGHTS)
      return `${MAX_FLIGHTS} requests are in flight already; wait for some`;
    const flight = new Flight(request);
    this.#flights.set(request.id, flight);
    return flight;
  }

  end(flight: Flight): void {
    this.#flights.delete(flight.request.id);
  }

  cancel(params: JsonObject): void {
    const { requestId } = params;
    if (typeof requestId === 'string' || typeof requestId === 'number')
      this.#flights.get(requestId)?.cancel(params);
  }

  /** The client's request that a message of a server most likely belongs to, by its progress token or as the latest. */
  relatedTo(upstream: Upstream, progressToken?: unknown): RequestId | undefined {
    let latest: RequestId | undefined;
    for (const flight of this.#flights.values()) {
      if (flight.upstream !== upstream || flight.cancelled) continue;
      if (progressToken !== undefined && flight.progressToken === progressToken) return flight.request.id;
      latest = flight.request.id;
    }
    return latest;
  }
}
