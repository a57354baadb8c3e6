import { isObject, type JsonObject } from '../../core/json.ts';
import type { ToolCall } from '../../core/tool-call.ts';
import { unnamedId } from '../../core/unnamed.ts';
import type { HostEvent } from '../adapter.ts';
import { callOf } from '../shared/decode/call.ts';
import { identifierAt, malformed, optionalText, payloadOf, textAt } from '../shared/decode/payload.ts';
import { TOOLS } from './tools.ts';

export const HOST = 'copilot';

/** One event of the host's camelCase dialect (docs/hosts/copilot.md; recorded payloads). */
export interface CopilotInput extends HostEvent {
  /** Set inside a subagent. `sessionId` is then the session of the agent that started it. */
  readonly agentId: string | null;
}

/**
 * Reads the bytes of a hook's standard input. The payload does not name its event: the registration does. A subagent
 * has a session id of its own, but what it may do is what the agent was allowed that started it.
 */
export function decodeInput(bytes: Uint8Array, registered: string | null): CopilotInput {
  const raw = payloadOf(HOST, bytes);
  if (registered === null) throw malformed(HOST, 'its hook was started without --event');
  const own = identifierAt(HOST, raw, 'sessionId');
  const agentId = optionalText(raw, 'agentId');
  const isSubagent = agentId !== null && optionalText(raw, 'parentAgentId') !== null;
  return {
    event: registered,
    sessionId: isSubagent ? identifierAt(HOST, raw, 'parentAgentId') : own,
    cwd: textAt(HOST, raw, 'cwd'),
    agentId: isSubagent ? agentId : null,
    raw,
  };
}

/** Arguments as an object; earlier versions sent them as JSON text. */
function argsOf(value: unknown): JsonObject {
  if (value === undefined || value === null) return {};
  let args: unknown = value;
  try {
    if (typeof value === 'string') args = value === '' ? {} : JSON.parse(value);
  } catch {
    throw malformed(HOST, 'toolArgs is not JSON');
  }
  if (!isObject(args)) throw malformed(HOST, 'toolArgs is not an object');
  return args;
}

/** Decodes a tool event into the call that the engine judges. Throws a PactError on what it cannot decode. */
export function decodeCall(input: CopilotInput): ToolCall {
  const { raw, sessionId, cwd, agentId } = input;
  const name = textAt(HOST, raw, 'toolName');
  return callOf(
    { host: HOST, sessionId, cwd, callId: null, name, args: argsOf(raw.toolArgs), agentId },
    TOOLS,
  );
}

/** The id that a call of the transcript gets when its hook comes; null where it cannot be read. */
export function callIdOf(name: string, args: unknown): string | null {
  try {
    return unnamedId(name, argsOf(args));
  } catch {
    return null;
  }
}
