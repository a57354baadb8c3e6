import type { JsonObject } from '../../core/json.ts';
import { HANDSHAKE_TOOL } from '../../core/words.ts';
import type { Catalogues } from '../../mcp/catalogue.ts';
import { type Answer, CODES, failure } from '../../mcp/message.ts';
import type { Upstream } from '../../mcp/upstream.ts';
import type { Footing } from './footing.ts';
import { definitionOf, describeHandshake, OWN_TOOLS, type OwnToolPorts } from './own-tools.ts';
import type { ProxyPorts } from './ports.ts';
import { shownTools } from './shown.ts';

const INTERCEPTED = `State Violation: Reasoning Intercept Required\nThe session has not made the handshake (${HANDSHAKE_TOOL}): servers may not ask for anything before.`;

/**
 * The tools as a client is shown them, on one page: before the handshake that one alone (H-32), after it ours and those
 * of every server that is not held back. Why one is held back stands in the handshake's description too.
 */
async function listTools(
  isActing: boolean,
  upstreams: readonly Upstream[],
  catalogues: Catalogues,
  own: OwnToolPorts,
): Promise<{ readonly tools: readonly JsonObject[]; readonly held: readonly string[] }> {
  const held: string[] = [];
  const theirs: JsonObject[] = [];
  if (isActing)
    for (const upstream of upstreams) {
      const catalogue = await catalogues.renew(upstream);
      if (catalogue.held !== null) held.push(catalogue.held);
      theirs.push(...shownTools(upstream, catalogue, upstreams.length === 1));
    }
  const ours = await Promise.all(
    OWN_TOOLS.filter(({ name }) => isActing || name === HANDSHAKE_TOOL).map(async (tool) => {
      if (tool.name !== HANDSHAKE_TOOL) return definitionOf(tool);
      return definitionOf(tool, [await describeHandshake(tool, own), ...held].join('\n'));
    }),
  );
  return { tools: [...ours, ...theirs], held };
}

/** The tools of one session: what its client is shown of them, and when it is told that they are others now. */
export class ToolList {
  constructor(
    private readonly upstreams: readonly Upstream[],
    private readonly catalogues: Catalogues,
    private readonly footing: Footing,
    private readonly ports: Pick<ProxyPorts, 'own' | 'log'>,
    private readonly tell: () => void,
  ) {}

  /** Answers `tools/list`. */
  async answer(params: JsonObject): Promise<Answer> {
    if (params.cursor !== undefined) return failure(CODES.invalidParams, 'there is one page only');
    await this.footing.look();
    const { isActing } = this.footing;
    const { tools, held } = await listTools(isActing, this.upstreams, this.catalogues, this.ports.own);
    for (const text of held) this.ports.log(text);
    return { result: { tools } };
  }

  /**
   * A server's tools may be others now: they are read, and held against the pins, before anything of it runs again.
   * Not at once, or a server that says so whenever it is asked would be asked for ever.
   */
  changed(upstream: Upstream): void {
    this.catalogues.forget(upstream);
    if (this.footing.isActing) this.tell();
  }

  /** What is pinned has changed: a server may be held back no longer, or only now. */
  async recheck(): Promise<void> {
    for (const upstream of this.upstreams) {
      const { held } = await this.catalogues.of(upstream);
      if ((await this.catalogues.renew(upstream)).held !== held && this.footing.isActing) this.tell();
    }
  }

  /** Why a server may not ask the client for sampling, elicitation or roots now; null when it may. */
  async whyNotAsk(upstream: Upstream): Promise<string | null> {
    await this.footing.look();
    return this.footing.isActing ? (await this.catalogues.of(upstream)).held : INTERCEPTED;
  }
}
