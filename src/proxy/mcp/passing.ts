import { type Answer, CODES, failure } from '../../mcp/message.ts';
import type { Upstream } from '../../mcp/upstream.ts';
import type { Calls } from './calls.ts';
import type { Flight } from './flights.ts';
import { Routes } from './routes.ts';
import { spelledOut } from './spelled.ts';

/** Requests that show or set nothing which an agent could act by; lists are among them. */
const PASSED: ReadonlySet<string> = new Set(['logging/setLevel', 'resources/unsubscribe']);

/** Requests that need no handshake: they go to their server as they are. */
export class Passing {
  constructor(
    private readonly upstreams: readonly Upstream[],
    private readonly routes: Routes,
    private readonly calls: Calls,
  ) {}

  static takes(method: string): boolean {
    return PASSED.has(method) || Routes.isList(method);
  }

  async pass(flight: Flight): Promise<Answer> {
    const { method, params } = flight.request;
    if (this.upstreams.length > 1 && method === 'logging/setLevel') return this.#toAll(flight, 'logging');
    if (Routes.isList(method)) return spelledOut(await this.#listOf(flight));
    const route = await this.routes.route(params);
    if (!route) return failure(CODES.methodNotFound, `nobody can tell which server ${method} is for`);
    return this.calls.pass(flight, route);
  }

  async #listOf(flight: Flight): Promise<Answer> {
    const { method, params } = flight.request;
    const [only, ...others] = this.upstreams;
    return only && others.length === 0
      ? this.calls.pass(flight, { upstream: only, params })
      : this.routes.list(method);
  }

  async #toAll({ request }: Flight, capability: string): Promise<Answer> {
    const asked = this.upstreams.filter((one) => one.isReady && one.offers(capability));
    await Promise.all(asked.map((one) => one.request(request.method, request.params).answer));
    return { result: {} };
  }
}
