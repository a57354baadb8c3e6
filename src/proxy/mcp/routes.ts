import { isObject, type JsonObject } from '../../core/json.ts';
import type { Answer } from '../../mcp/message.ts';
import { CODES, failure } from '../../mcp/message.ts';
import { readPages } from '../../mcp/pages.ts';
import type { Upstream } from '../../mcp/upstream.ts';
import { SEPARATOR, shownName } from './shown.ts';

/** Lists other than that of the tools: their capability, the member with the entries, and whether names are shown anew. */
const LISTS: Readonly<Record<string, { capability: string; key: string; named: boolean }>> = {
  'resources/list': { capability: 'resources', key: 'resources', named: false },
  'resources/templates/list': { capability: 'resources', key: 'resourceTemplates', named: false },
  'prompts/list': { capability: 'prompts', key: 'prompts', named: true },
};

/** Where a request goes, and as what. */
export interface Route {
  readonly upstream: Upstream;
  readonly params: JsonObject | undefined;
}

/** Literal beginning of a URI template (RFC 6570), up to its first expression. */
function beginning(template: string): string {
  const at = template.indexOf('{');
  return at < 0 ? template : template.slice(0, at);
}

/**
 * Which of several servers a request is for. Prompts are told apart by the prefix of their name, resources by what
 * the servers' lists have shown.
 */
export class Routes {
  readonly #resources = new Map<string, Upstream>();
  readonly #templates = new Map<string, Upstream>();

  constructor(
    private readonly upstreams: readonly Upstream[],
    /** Whether nothing of a server may be shown. */
    private readonly isHeld: (upstream: Upstream) => Promise<boolean>,
  ) {}

  /** Whether a request asks for a list that has to be put together. */
  static isList(method: string): boolean {
    return Object.hasOwn(LISTS, method);
  }

  /** One list of all servers' entries, on a single page. A server that fails is left out; if all do, its error is told. */
  async list(method: string): Promise<Answer> {
    const shape = LISTS[method];
    if (!shape) return failure(CODES.methodNotFound, `${method} is no list`);
    const offering = this.upstreams.filter((one) => one.isReady && one.offers(shape.capability));
    const held = await Promise.all(offering.map((one) => this.isHeld(one)));
    const asked = offering.filter((_one, index) => !held[index]);
    const read = await Promise.all(asked.map((one) => readPages(one, method, shape.key)));
    const entries: JsonObject[] = [];
    let wrong: JsonObject | null = null;
    for (const [index, answer] of read.entries()) {
      const upstream = asked[index];
      if (!upstream) continue;
      if ('error' in answer) wrong ??= answer.error;
      else for (const entry of answer.entries) entries.push(this.#shown(upstream, shape.named, entry));
    }
    return wrong && entries.length === 0 ? { error: wrong } : { result: { [shape.key]: entries } };
  }

  #shown(upstream: Upstream, named: boolean, entry: JsonObject): JsonObject {
    if (typeof entry.uri === 'string' && !this.#resources.has(entry.uri))
      this.#resources.set(entry.uri, upstream);
    if (typeof entry.uriTemplate === 'string') this.#templates.set(beginning(entry.uriTemplate), upstream);
    return named ? { ...entry, name: shownName(upstream.name, String(entry.name), false) } : entry;
  }

  async #ofResource(uri: string): Promise<Upstream | null> {
    if (!this.#resources.has(uri)) {
      await this.list('resources/list');
      await this.list('resources/templates/list');
    }
    const known = this.#resources.get(uri);
    if (known) return known;
    let best: [string, Upstream] | null = null;
    for (const one of this.#templates)
      if (uri.startsWith(one[0]) && one[0].length > (best?.[0].length ?? 0)) best = one;
    return best?.[1] ?? null;
  }

  #ofPrompt(name: unknown): { upstream: Upstream; name: string } | null {
    if (typeof name !== 'string') return null;
    const at = name.indexOf(SEPARATOR);
    const upstream = this.upstreams.find((one) => at > 0 && one.name === name.slice(0, at));
    return upstream ? { upstream, name: name.slice(at + SEPARATOR.length) } : null;
  }

  /** The server that a request is for, with the parameters in its own words; null when nobody can tell. */
  async route(params: JsonObject | undefined): Promise<Route | null> {
    const [only, ...others] = this.upstreams;
    if (only && others.length === 0) return { upstream: only, params };
    const { uri, ref, name } = params ?? {};
    if (typeof uri === 'string') {
      const upstream = await this.#ofResource(uri);
      return upstream && { upstream, params };
    }
    if (isObject(ref) && typeof ref.uri === 'string') {
      const upstream = this.#templates.get(beginning(ref.uri)) ?? (await this.#ofResource(ref.uri));
      return upstream && { upstream, params };
    }
    const prompt = this.#ofPrompt(isObject(ref) ? ref.name : name);
    if (!prompt) return null;
    const inside = isObject(ref) ? { ref: { ...ref, name: prompt.name } } : { name: prompt.name };
    return { upstream: prompt.upstream, params: { ...params, ...inside } };
  }
}
