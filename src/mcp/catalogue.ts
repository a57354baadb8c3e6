import type { JsonObject } from '../core/json.ts';
import { quotedName, UNSEEN, visible } from '../core/unseen.ts';
import { readPages } from './pages.ts';
import type { Upstream } from './upstream.ts';

/** The tools of one server, and why none of them may be used, if so. */
export interface Catalogue {
  readonly tools: ReadonlyMap<string, JsonObject>;
  /** Null when the definitions are those that are pinned. */
  readonly held: string | null;
}

/** Holds a server's definitions against what is pinned for it: null when they match, else why it is held back. */
export type PinCheck = (server: string, source: string, tools: readonly JsonObject[]) => string | null;

const MAX_NAME = 256;
/** How much of a server's own error is quoted. */
const MAX_QUOTED = 300;

/** What is wrong with a list of tools, or null. */
function faultOf(tools: readonly JsonObject[]): string | null {
  const names = new Set<string>();
  for (const { name } of tools) {
    if (typeof name !== 'string' || name === '' || name.length > MAX_NAME || !name.isWellFormed())
      return 'one of its tools has no usable name';
    if (name.search(UNSEEN) >= 0) return 'one of its tools has a name with characters that cannot be seen';
    if (names.has(name)) return `it has two tools named ${quotedName(name)}`;
    names.add(name);
  }
  return null;
}

/**
 * What a server offers, read once and again whenever it says that something changed. Definitions are held against
 * the pins each time they are read; until then no call passes.
 */
export class Catalogues {
  readonly #known = new Map<Upstream, Promise<Catalogue>>();

  constructor(private readonly check: PinCheck) {}

  /** The definitions as last read. */
  of(upstream: Upstream): Promise<Catalogue> {
    const known = this.#known.get(upstream);
    if (known) return known;
    const reading = this.#read(upstream).then(({ again, ...catalogue }) => {
      // A reading that failed is tried again at the next question.
      if (again && this.#known.get(upstream) === reading) this.#known.delete(upstream);
      return catalogue;
    });
    this.#known.set(upstream, reading);
    return reading;
  }

  /** What is known no longer holds: the next question reads it anew. */
  forget(upstream: Upstream): void {
    this.#known.delete(upstream);
  }

  /** Reads anew. */
  renew(upstream: Upstream): Promise<Catalogue> {
    this.forget(upstream);
    return this.of(upstream);
  }

  async #read(upstream: Upstream): Promise<Catalogue & { readonly again?: boolean }> {
    const nothing = (held: string | null): Catalogue => ({ tools: new Map(), held });
    if (!upstream.isReady) return { ...nothing(upstream.trouble), again: true };
    if (!upstream.offers('tools')) return nothing(null);
    const read = await readPages(upstream, 'tools/list', 'tools');
    if ('error' in read) {
      const why = `MCP server ${upstream.name} does not list its tools: ${visible(String(read.error.message)).slice(0, MAX_QUOTED)}`;
      return { ...nothing(why), again: true };
    }
    const fault = faultOf(read.entries);
    if (fault !== null) return nothing(`MCP server ${upstream.name} is held back: ${fault}`);
    const held = this.check(upstream.name, upstream.plan.source, read.entries);
    return { tools: new Map(read.entries.map((tool) => [tool.name as string, tool])), held };
  }
}
