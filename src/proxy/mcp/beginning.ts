import { isObject, type JsonObject } from '../../core/json.ts';
import { HANDSHAKE_TOOL } from '../../core/words.ts';
import { type Answer, CODES, failure } from '../../mcp/message.ts';
import type { Upstream } from '../../mcp/upstream.ts';
import { clampVersion } from '../../mcp/versions.ts';
import type { Calls } from './calls.ts';
import type { Governor } from './governor.ts';
import { ownTool } from './own-tools.ts';

/** Note that the human's own selection is recorded with. */
const BY_HUMAN = 'selected by the human who started the proxy, with --intent';
const MAX_HOST = 64;

/** What a client says of itself in `initialize`. */
export interface Hello {
  /** Its name for itself, as a word that can be recorded. */
  readonly host: string;
  /** It can be asked for its roots. */
  readonly hasRoots: boolean;
  /** What the servers are told. */
  readonly params: JsonObject;
}

/** Reads the parameters of `initialize`; a failure says what is missing. */
export function helloOf(params: JsonObject): Hello | Answer {
  const { clientInfo, capabilities, protocolVersion } = params;
  if (typeof protocolVersion !== 'string')
    return failure(CODES.invalidParams, 'initialize names no protocolVersion');
  const name = isObject(clientInfo) && typeof clientInfo.name === 'string' ? clientInfo.name : '';
  return {
    host: name.replace(/[^\w. -]/g, '').slice(0, MAX_HOST) || 'mcp',
    hasRoots: isObject(capabilities) && isObject(capabilities.roots),
    params: { ...params, protocolVersion: clampVersion(protocolVersion) },
  };
}

/**
 * Begins the engine's session and connects to the servers. Returns what the agent is to be told, or the first failure
 * if no server could be reached; a failure of some only is logged.
 */
export async function connect(
  { params }: Hello,
  upstreams: readonly Upstream[],
  governor: Governor,
  log: (text: string) => void,
): Promise<string | Answer> {
  const [told, ...answers] = await Promise.all([
    governor.begin(),
    ...upstreams.map((upstream) => upstream.initialize(params)),
  ]);
  const failed = answers.find((answer) => 'error' in answer);
  if (failed && answers.every((answer) => 'error' in answer)) return failed;
  for (const [index, answer] of answers.entries())
    if ('error' in answer)
      log(`MCP server ${upstreams[index]?.name} could not be started: ${String(answer.error.message)}`);
  return told;
}

/** The human's own handshake, by the same way as an agent's. Null when it was accepted, else why not. */
export async function selectForHuman(intent: string, calls: Calls): Promise<string | null> {
  const tool = ownTool(HANDSHAKE_TOOL);
  if (!tool) return 'there is no handshake';
  const answer = await calls.callOwn(tool, { intent_id: intent, reasoning: BY_HUMAN });
  if ('error' in answer) return String(answer.error.message);
  if (answer.result.isError !== true) return null;
  const [first] = Array.isArray(answer.result.content) ? answer.result.content : [];
  return isObject(first) ? String(first.text) : 'no reason was given';
}
