import { resolve } from 'node:path/posix';
import type { JsonObject, JsonValue } from '../../core/json.ts';
import type { ToolCall } from '../../core/tool-call.ts';
import { decodeCall as claudeCode } from '../../hosts/claude-code/decode.ts';
import { decodeCall as codexHook } from '../../hosts/codex/decode.ts';
import { decodeCall as copilot } from '../../hosts/copilot/decode.ts';
import { decodeCall as gemini } from '../../hosts/gemini/decode.ts';
import { decodeCall as qwen } from '../../hosts/qwen/decode.ts';
import { callOf, hidden } from '../../hosts/shared/decode/call.ts';
import type { HookInput } from '../../hosts/shared/decode/hook-input.ts';
import { look } from '../../hosts/shared/decode/tool-shape.ts';
import { shellLine } from '../../hosts/shared/install/shell-line.ts';
import type { ClientCall, Decoder } from '../../proxy/llm/ports.ts';

const EVENT = 'PreToolUse';

/** The call as the client's own hook would be told of it: one decoder decides for both doors. */
function asHook({ id, name, args, sessionId, cwd }: ClientCall): HookInput {
  return {
    event: EVENT,
    sessionId,
    cwd,
    transcriptPath: null,
    agentId: null,
    raw: { tool_name: name, tool_input: args, tool_use_id: id },
  };
}

/** Typing into a command that runs already is a command that nobody has judged; asking for its output is none. */
const STDIN = {
  write_stdin: hidden('write_stdin', 'it types into a command that is running already'),
} as const;
const POLL = { write_stdin: look('shell_output') } as const;

/** Codex names its tools otherwise to the model than to its hooks. */
function codex(call: ClientCall): ToolCall {
  const { id, name, args, sessionId, cwd } = call;
  if (name === 'write_stdin') {
    const types = args.chars !== undefined && args.chars !== '';
    return callOf({ host: 'codex', sessionId, cwd, callId: id, name, args }, types ? STDIN : POLL);
  }
  const isShell = name === 'exec_command';
  const folder = isShell && typeof args.workdir === 'string' && args.workdir !== '' ? args.workdir : '.';
  const input: JsonObject = isShell
    ? { ...args, command: args.cmd }
    : name === 'apply_patch'
      ? { command: args.input ?? args.patch ?? args.command }
      : args;
  const raw = { tool_name: isShell ? 'Bash' : name, tool_input: input };
  const { tty, shell } = args;
  const meant = {
    ...(isShell && tty === true ? { tty } : {}),
    ...(isShell && typeof shell === 'string' ? { shell } : {}),
  };
  const none = { transcriptPath: null, agentTranscriptPath: null, agentId: null, model: null };
  const event = { ...none, event: EVENT, sessionId, cwd, folder: resolve(cwd, folder), callId: id, raw };
  return { ...codexHook(event, meant), hostTool: name.slice(0, 256).toWellFormed() };
}

/** Arguments in which clients that nobody declared carry a shell command, or the words of one. */
const COMMAND_KEYS = ['command', 'cmd', 'script', 'shell_command', 'commandLine', 'command_line'] as const;

function texts(value: JsonValue | undefined): readonly string[] | null {
  return Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'string')
    ? value
    : null;
}

/** Every shell command among a foreign tool's arguments, so that it is read before it runs; null when there is none. */
function commandIn(args: JsonObject): string | null {
  const found = COMMAND_KEYS.flatMap((key) => {
    const value = args[key];
    if (typeof value === 'string') return [value];
    const words = texts(value);
    return words ? [shellLine(words)] : [];
  });
  found.push(...(texts(args.commands) ?? []));
  return found.length === 0 ? null : found.join('\n');
}

/** A client that nobody knows: each of its tools may change anything (H-30), a command in it is read like any. */
function unknown(host: string, { id, ...call }: ClientCall): ToolCall {
  const command = commandIn(call.args);
  return { ...callOf({ ...call, host, callId: id }, {}), ...(command === null ? {} : { command }) };
}

const CLIENTS: Readonly<Record<string, Decoder>> = {
  'claude-code': (call) => claudeCode(asHook(call)),
  qwen: (call) => qwen(asHook(call)),
  codex,
  // Its hooks have no id of a call; the model's stands for it.
  gemini: (call) => ({ ...gemini(asHook(call)), callId: call.id, unnamed: false }),
  copilot: ({ id, name, args, sessionId, cwd }) => ({
    ...copilot({ event: EVENT, sessionId, cwd, agentId: null, raw: { toolName: name, toolArgs: args } }),
    callId: id,
    unnamed: false,
  }),
};

/** Hosts whose tools are known by the names they have towards the model. */
export const KNOWN_CLIENTS = Object.keys(CLIENTS);

/** How calls of a client are read; the files and commands that they name are held against the scope. */
export function decoderOf(host: string): Decoder {
  const known = Object.hasOwn(CLIENTS, host) ? CLIENTS[host] : undefined;
  return known ?? ((call) => unknown(host, call));
}
