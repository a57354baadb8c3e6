import { isObject, type JsonObject } from '../core/json.ts';
import type { ToolCall } from '../core/tool-call.ts';
import { decodeCall } from '../hosts/claude-code/decode.ts';
import { TOOLS } from '../hosts/claude-code/tools.ts';
import { usageError } from './command.ts';

/** Other names of the canonical tools (C-54). */
const ALIASES: Readonly<Record<string, string>> = {
  write_to_file: 'file_write',
  write_file: 'file_write',
  read_file: 'file_read',
  list_directory: 'file_list',
  ls: 'file_list',
  bash: 'shell',
  execute: 'shell',
  fetch: 'http',
  grep: 'search',
};

/** Other names of the arguments that name a file or a command, the canonical one first. */
const PATH_NAMES = ['path', 'file_path', 'filePath'];

/** The host's name of a tool that was given by its canonical name, an alias or the host's own name. */
function hostToolOf(name: string): string {
  if (Object.hasOwn(TOOLS, name)) return name;
  const canonical = ALIASES[name] ?? name;
  return Object.entries(TOOLS).find(([, shape]) => shape.tool === canonical)?.[0] ?? name;
}

/** Arguments with the file under the name that the host's tool has for it. */
function toHostArgs(hostTool: string, args: JsonObject): JsonObject {
  const key = Object.hasOwn(TOOLS, hostTool) ? TOOLS[hostTool]?.path?.key : undefined;
  const given = PATH_NAMES.find((name) => args[name] !== undefined);
  if (key === undefined || given === undefined || given === key || args[key] !== undefined) return args;
  const { [given]: path, ...rest } = args;
  return { ...rest, [key]: path };
}

/** Reads `--input`: JSON text of one object. */
export function parseArgs(text: string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw usageError('--input is not JSON');
  }
  if (!isObject(value)) throw usageError('--input is not a JSON object');
  return value;
}

/** The call that a human names at the command line, decoded by the same code as an agent's. */
export function toCall(name: string, args: JsonObject, cwd: string, sessionId: string): ToolCall {
  const hostTool = hostToolOf(name);
  return decodeCall({
    event: 'PreToolUse',
    sessionId,
    cwd,
    transcriptPath: null,
    agentId: null,
    raw: { tool_name: hostTool, tool_input: toHostArgs(hostTool, args), tool_use_id: 'pactclaw-check' },
  });
}
