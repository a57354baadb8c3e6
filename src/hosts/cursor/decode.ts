import { isObject, type JsonObject } from '../../core/json.ts';
import type { ToolCall } from '../../core/tool-call.ts';
import type { HostEvent } from '../adapter.ts';
import { callOf as decodedCall } from '../shared/decode/call.ts';
import { identifierAt, malformed, optionalText, payloadOf, textAt } from '../shared/decode/payload.ts';
import { MCP_PREFIX, OWN_PREFIX, TOOLS } from './tools.ts';

export const HOST = 'cursor';
/** Name of our own server, as the installer registers it. */
const SERVER = 'pactclaw';

/** One event of the host (hook executor of @cursor/sdk 1.0.32, docs/hosts/cursor.md). */
export interface CursorInput extends HostEvent {
  /** Set inside a subagent: the call that started it. */
  readonly agentId: string | null;
}

function folderOf(raw: JsonObject): string {
  const { workspace_roots: roots } = raw;
  const folder = optionalText(raw, 'cwd') ?? (Array.isArray(roots) ? roots[0] : undefined);
  if (typeof folder !== 'string' || folder === '') throw malformed(HOST, 'it names no folder');
  return folder;
}

/** Reads the bytes of a hook's standard input. Anything that is not one JSON object of the host's shape throws. */
export function decodeInput(bytes: Uint8Array): CursorInput {
  const raw = payloadOf(HOST, bytes);
  return {
    event: textAt(HOST, raw, 'hook_event_name'),
    sessionId: identifierAt(HOST, raw, 'conversation_id'),
    cwd: folderOf(raw),
    agentId: optionalText(raw, 'parent_tool_call_id'),
    raw,
  };
}

/** Arguments as an object; around the run of an MCP tool the host sends them as JSON text. */
function argsOf(value: unknown): JsonObject {
  let args: unknown = value ?? {};
  try {
    if (typeof args === 'string') args = args === '' ? {} : JSON.parse(args);
  } catch {
    throw malformed(HOST, 'tool_input is not JSON');
  }
  if (!isObject(args)) throw malformed(HOST, 'tool_input is not an object');
  return args;
}

/** True around the call of an MCP server's tool, of which other events speak with the server's name. */
export function isUnnamedMcp({ event, raw }: CursorInput): boolean {
  return /ToolUse/.test(event) && textAt(HOST, raw, 'tool_name').startsWith(MCP_PREFIX);
}

/** The name under which the table has a tool: the events around the run of an MCP tool name its server beside it. */
function nameOf({ event, raw }: CursorInput): string {
  const name = textAt(HOST, raw, 'tool_name');
  if (/MCPExecution$/.test(event)) {
    const prefix = textAt(HOST, raw, 'mcp_server_name') === SERVER ? OWN_PREFIX : MCP_PREFIX;
    return Object.hasOwn(TOOLS, `${prefix}${name}`) ? `${prefix}${name}` : `${MCP_PREFIX}${name}`;
  }
  if (name.startsWith(OWN_PREFIX)) throw malformed(HOST, 'no tool of the host has such a name');
  return name;
}

/** Decodes a tool event into the call that the engine judges. Throws a PactError on what it cannot decode. */
export function callOf(input: CursorInput): ToolCall {
  const { raw, sessionId, cwd, agentId } = input;
  const name = nameOf(input);
  const args = argsOf(raw.tool_input);
  // A command may name a folder of its own.
  const folder = name === 'Shell' ? (optionalText(args, 'cwd') ?? cwd) : cwd;
  const callId = name === raw.tool_name ? optionalText(raw, 'tool_use_id') : null;
  return decodedCall({ host: HOST, sessionId, cwd: folder, callId, name, args, agentId }, TOOLS);
}

export function modelOf({ raw }: CursorInput): string | null {
  return optionalText(raw, 'model');
}
