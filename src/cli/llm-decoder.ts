import type { JsonObject, JsonValue } from '../core/json.ts';
import { TOOLS as CLAUDE_CODE } from '../hosts/claude-code/tools.ts';
import { callOf } from '../hosts/decoding/call.ts';
import type { ToolTable } from '../hosts/decoding/tool-shape.ts';
import type { Decoder } from '../proxy/llm/ports.ts';

/** Tools of the clients whose names for them are known, by the host that `--host` names. */
const TABLES: Readonly<Record<string, ToolTable>> = { 'claude-code': CLAUDE_CODE };

/** Arguments in which clients that nobody declared carry a shell command, or the words of one. */
const COMMAND_KEYS = ['command', 'cmd', 'script', 'shell_command', 'commandLine', 'command_line'] as const;

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

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
    return words ? [words.map(quoted).join(' ')] : [];
  });
  found.push(...(texts(args.commands) ?? []));
  return found.length === 0 ? null : found.join('\n');
}

/**
 * How calls of a client are read. A client that nobody knows has tools of which each may change anything (H-30); the
 * files and commands that its arguments name are held against the scope.
 */
export function decoderOf(host: string): Decoder {
  const known = Object.hasOwn(TABLES, host) ? TABLES[host] : undefined;
  return ({ id, ...call }) => {
    const source = { ...call, host, callId: id };
    if (known) return callOf(source, known);
    const command = commandIn(call.args);
    return { ...callOf(source, {}), ...(command === null ? {} : { command }) };
  };
}
