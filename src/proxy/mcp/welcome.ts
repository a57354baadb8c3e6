import { isObject, type JsonObject } from '../../core/json.ts';
import type { Upstream } from '../../mcp/upstream.ts';
import { spell } from './spelled.ts';

function isRecord(value: unknown): value is JsonObject {
  return isObject(value);
}

/** Both capabilities at once: a member that is true or an object in one of them is so in the sum. */
function merge(a: JsonObject, b: JsonObject): JsonObject {
  const sum: Record<string, JsonObject[string]> = { ...a };
  for (const [key, value] of Object.entries(b)) {
    const had = sum[key];
    sum[key] = isRecord(had) && isRecord(value) ? merge(had, value) : had === true ? had : value;
  }
  return sum;
}

/** Capabilities as the client is told them: tools always, with notices of change, because the handshake comes and goes. */
function governed(capabilities: JsonObject): JsonObject {
  const { tools } = capabilities;
  return { ...capabilities, tools: { ...(isRecord(tools) ? tools : {}), listChanged: true } };
}

function capabilitiesOf({ welcome }: Upstream): JsonObject {
  return isRecord(welcome.capabilities) ? welcome.capabilities : {};
}

function instructionsOf(upstreams: readonly Upstream[]): string[] {
  return upstreams.flatMap(({ name, welcome: { instructions } }) =>
    typeof instructions === 'string' && instructions !== ''
      ? [`Instructions of MCP server ${name}:\n${spell(instructions)}`]
      : [],
  );
}

/**
 * The answer to `initialize`. One server's own answer with our part added; for several, what they have in common:
 * the oldest protocol version that one of them speaks, and every capability that any of them has.
 */
export function welcomeOf(upstreams: readonly Upstream[], ours: string, version: string): JsonObject {
  const ready = upstreams.filter(({ isReady }) => isReady);
  const instructions = [ours, ...instructionsOf(ready)].join('\n\n');
  const [first] = ready;
  if (upstreams.length === 1 && first)
    return { ...first.welcome, capabilities: governed(capabilitiesOf(first)), instructions };
  const versions = ready.map(({ welcome }) => String(welcome.protocolVersion)).sort();
  const capabilities = ready.map(capabilitiesOf).reduce(merge, {});
  return {
    protocolVersion: versions[0] ?? '2025-06-18',
    capabilities: governed(capabilities),
    serverInfo: { name: 'pactclaw', title: 'PactClaw', version },
    instructions,
  };
}
