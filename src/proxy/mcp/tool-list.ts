import type { JsonObject } from '../../core/json.ts';
import { HANDSHAKE_TOOL } from '../../core/words.ts';
import type { Catalogues } from '../../mcp/catalogue.ts';
import type { Upstream } from '../../mcp/upstream.ts';
import { definitionOf, describeHandshake, OWN_TOOLS, type OwnToolPorts } from './own-tools.ts';
import { shownTools } from './shown.ts';

/**
 * The tools as a client is shown them, on one page: before the handshake that one alone (H-32), after it ours and those
 * of every server that is not held back. Why one is held back stands in the handshake's description too.
 */
export async function listTools(
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
