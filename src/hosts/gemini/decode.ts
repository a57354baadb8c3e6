import { resolve } from 'node:path/posix';
import { isObject, type JsonObject } from '../../core/json.ts';
import type { ToolCall } from '../../core/tool-call.ts';
import { callOf } from '../shared/decode/call.ts';
import { type HookInput, hookInput } from '../shared/decode/hook-input.ts';
import { malformed, textAt } from '../shared/decode/payload.ts';
import type { ToolTable } from '../shared/decode/tool-shape.ts';
import { HOST, OWN_PREFIX, OWN_TOOLS, TOOLS } from './tools.ts';

/** Reads the bytes of a hook's standard input. */
export function decodeInput(bytes: Uint8Array): HookInput {
  return hookInput(HOST, bytes);
}

/**
 * The tools that a name may mean. The host tells the server of an MCP call: `mcp_pactclaw_…` could also be a tool of a
 * server with a longer name, and a server's tool is never one of the host's own.
 */
function tableFor(name: string, context: unknown): ToolTable {
  if (context === undefined) return TOOLS;
  const { server_name: server, tool_name: tool } = isObject(context) ? context : {};
  return server === 'pactclaw' && typeof tool === 'string' && name === OWN_PREFIX + tool ? OWN_TOOLS : {};
}

/** The folder a command starts in: absolute, or from the session's folder. */
function folderOf(cwd: string, { dir_path: folder }: JsonObject): string {
  return typeof folder === 'string' && folder !== '' ? resolve(cwd, folder) : cwd;
}

/** Decodes a tool event into the call that the engine judges. The host gives calls no ids. */
export function decodeCall(input: HookInput): ToolCall {
  const { raw, sessionId, cwd, agentId } = input;
  const name = textAt(HOST, raw, 'tool_name');
  const args = raw.tool_input ?? {};
  if (!isObject(args)) throw malformed(HOST, 'tool_input is not an object');
  const folder = name === 'run_shell_command' ? folderOf(cwd, args) : cwd;
  return callOf(
    { host: HOST, sessionId, cwd: folder, callId: null, name, args, agentId },
    tableFor(name, raw.mcp_context),
  );
}
