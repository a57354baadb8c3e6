import { isObject, type JsonObject } from '../../core/json.ts';
import type { ToolCall } from '../../core/tool-call.ts';
import { HANDSHAKE_TOOL } from '../../core/words.ts';
import type { HostEvent } from '../adapter.ts';
import { callOf } from '../shared/decode/call.ts';
import { identifierAt, malformed, optionalText, payloadOf, textAt } from '../shared/decode/payload.ts';
import { OWN_PREFIX, TOOLS } from './tools.ts';

export const HOST = 'claude-code';

/** What every payload of the host carries (its documentation, hooks reference; recorded payloads). */
export interface HookInput extends HostEvent {
  readonly transcriptPath: string | null;
  readonly agentId: string | null;
}

/** Reads the bytes of a hook's standard input. Anything that is not one JSON object of the host's shape throws. */
export function decodeInput(bytes: Uint8Array): HookInput {
  const raw = payloadOf(HOST, bytes);
  return {
    sessionId: identifierAt(HOST, raw, 'session_id'),
    event: textAt(HOST, raw, 'hook_event_name'),
    cwd: textAt(HOST, raw, 'cwd'),
    transcriptPath: optionalText(raw, 'transcript_path'),
    agentId: optionalText(raw, 'agent_id'),
    raw,
  };
}

/** `select:` of our own handshake tool and nothing else: how this host loads a tool that it has deferred. */
function findsHandshake(name: string, input: JsonObject): boolean {
  return name === 'ToolSearch' && input.query === `select:${OWN_PREFIX}${HANDSHAKE_TOOL}`;
}

/** Decodes a tool event into the call that the engine judges. Throws a PactError on what it cannot decode. */
export function decodeCall(input: HookInput): ToolCall {
  const { raw, sessionId, cwd, agentId } = input;
  const name = textAt(HOST, raw, 'tool_name');
  const args = raw.tool_input ?? {};
  if (!isObject(args)) throw malformed(HOST, 'tool_input is not an object');
  return callOf(
    {
      host: HOST,
      sessionId,
      cwd,
      callId: optionalText(raw, 'tool_use_id'),
      name,
      args,
      agentId,
      findsHandshake: findsHandshake(name, args),
    },
    TOOLS,
  );
}
