import { digestOf } from '../core/digest.ts';
import { type JsonObject, wellFormed } from '../core/json.ts';
import { pathsNamed } from '../hosts/claude-code/tools.ts';
import type { Decoder } from '../proxy/llm/ports.ts';

/** Arguments in which clients that nobody declared carry a shell command. */
const COMMAND_KEYS = ['command', 'cmd', 'script', 'shell_command', 'commandLine', 'command_line'] as const;

/** The shell command among a foreign tool's arguments, so that it is read before it runs; null when there is none. */
function commandIn(args: JsonObject): string | null {
  for (const key of COMMAND_KEYS) {
    const value = args[key];
    if (typeof value === 'string') return value;
    if (Array.isArray(value) && value.every((word) => typeof word === 'string')) return value.join(' ');
  }
  return null;
}

/** Calls of a client that nobody knows: each tool counts as one that may change anything (H-30). */
export const unknownClient: Decoder = ({ id, name, args, sessionId, cwd }) => {
  const tool = `unknown:${name.slice(0, 256).toWellFormed()}`;
  const command = commandIn(args);
  return {
    callId: id,
    sessionId,
    tool,
    hostTool: name.slice(0, 256).toWellFormed(),
    kind: 'execute',
    mutating: true,
    declared: false,
    targets: pathsNamed(args),
    ...(command === null ? {} : { command }),
    args,
    identity: digestOf({ tool, args: wellFormed(args) }),
    cwd,
  };
};
