import { isObject, type JsonValue } from '../../core/json.ts';
import type { ToolCall } from '../../core/tool-call.ts';
import { type CallShape, decodeShaped } from '../shared/claude-shaped.ts';
import type { HookInput } from '../shared/decode/hook-input.ts';
import type { ToolTable } from '../shared/decode/tool-shape.ts';
import { HOST, OWN_PREFIX, OWN_TOOLS, TOOLS } from './tools.ts';

/**
 * The tools that a name may mean. The host tells the server of an MCP call: `mcp_pactclaw_…` could also be a tool of a
 * server with a longer name, and a server's tool is never one of the host's own.
 */
function tableFor(name: string, context: JsonValue | undefined): ToolTable {
  if (context === undefined) return TOOLS;
  const { server_name: server, tool_name: tool } = isObject(context) ? context : {};
  return server === 'pactclaw' && typeof tool === 'string' && name === OWN_PREFIX + tool ? OWN_TOOLS : {};
}

/** How the host's calls are read. It gives them no ids. */
export const CALLS: CallShape = {
  host: HOST,
  tools: (name, raw) => tableFor(name, raw.mcp_context),
  folderKey: 'dir_path',
};

/** Decodes a tool event into the call that the engine judges. Throws a PactError on what it cannot decode. */
export function decodeCall(input: HookInput): ToolCall {
  return decodeShaped(CALLS, input);
}
