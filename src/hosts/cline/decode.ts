import { isObject, type JsonObject } from '../../core/json.ts';
import type { ToolCall } from '../../core/tool-call.ts';
import type { HostEvent } from '../adapter.ts';
import { callOf } from '../shared/decode/call.ts';
import { identifierAt, malformed, optionalText, payloadOf, textAt } from '../shared/decode/payload.ts';
import { TOOLS } from './tools.ts';

export const HOST = 'cline';

/** The file of a hook, which names the event, and what its payload calls it. */
export const EVENT_OF: Readonly<Record<string, string>> = {
  tool_call: 'PreToolUse',
  tool_result: 'PostToolUse',
  agent_start: 'TaskStart',
  agent_resume: 'TaskResume',
  agent_end: 'TaskComplete',
  agent_abort: 'TaskCancel',
  agent_error: 'TaskError',
  prompt_submit: 'UserPromptSubmit',
  pre_compact: 'PreCompact',
  session_shutdown: 'SessionShutdown',
};

/** One event of the host (docs/hosts/cline.md; recorded payloads). */
export interface ClineInput extends HostEvent {
  readonly agentId: string | null;
}

/** An object that must be there. */
export function objectAt(raw: JsonObject, key: string): JsonObject {
  const value = raw[key];
  if (!isObject(value)) throw malformed(HOST, `${key} is missing`);
  return value;
}

function rootOf({ workspaceInfo, workspaceRoots }: JsonObject): string {
  const named = isObject(workspaceInfo) ? workspaceInfo.rootPath : undefined;
  const root = named ?? (Array.isArray(workspaceRoots) ? workspaceRoots[0] : undefined);
  if (typeof root !== 'string' || root === '') throw malformed(HOST, 'it names no workspace');
  return root;
}

/** Reads the bytes of a hook's standard input. Agents that an agent started share its session. */
export function decodeInput(bytes: Uint8Array): ClineInput {
  const raw = payloadOf(HOST, bytes);
  const name = textAt(HOST, raw, 'hookName');
  const isSubagent = optionalText(raw, 'parent_agent_id') !== null;
  return {
    event: (Object.hasOwn(EVENT_OF, name) ? EVENT_OF[name] : undefined) ?? name,
    sessionId: identifierAt(HOST, objectAt(raw, 'sessionContext'), 'rootSessionId'),
    cwd: rootOf(raw),
    agentId: isSubagent ? identifierAt(HOST, raw, 'agent_id') : null,
    raw,
  };
}

/**
 * Decodes a tool event into the call that the engine judges, from `tool_call` or `tool_result`: what stands beside them
 * has all arguments as text. Throws a PactError on what it cannot decode.
 */
export function decodeCall({ raw, event, sessionId, cwd, agentId }: ClineInput): ToolCall {
  const call = objectAt(raw, event === 'PostToolUse' ? 'tool_result' : 'tool_call');
  const args = call.input ?? {};
  if (!isObject(args)) throw malformed(HOST, 'its input is not an object');
  return callOf(
    {
      host: HOST,
      sessionId,
      cwd,
      callId: optionalText(call, 'id'),
      name: textAt(HOST, call, 'name'),
      args,
      agentId,
    },
    TOOLS,
  );
}
