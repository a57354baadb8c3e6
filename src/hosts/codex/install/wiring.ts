import { digestOf } from '../../../core/digest.ts';
import { isObject, type JsonObject } from '../../../core/json.ts';
import type { Wiring } from '../../shared/install/installer.ts';
import { SERVER, serverFor } from '../../shared/install/server.ts';
import type { TomlTable } from '../../shared/install/toml-part.ts';
import { commandFor } from '../../shared/registration.ts';
import { HOST } from '../tools.ts';

/** Above the hook's own deadline (20 s), so that the host never gives up before the hook has refused. */
const TIMEOUT_S = 30;
export const INNER_DEADLINE_S = 20;
/** The host allows the last event of a session no more. */
export const SESSION_END_S = 3;

const TOOL_EVENTS = new Set(['PreToolUse', 'PostToolUse']);

export function isToolEvent(event: string): boolean {
  return TOOL_EVENTS.has(event);
}

/** True for events on which a hook that fails must count as a refusal. On the others it would keep the agent going. */
export function mustRefuse(event: string): boolean {
  return TOOL_EVENTS.has(event) || event === 'UserPromptSubmit';
}

/** The hook entry of one event. The host hands the command to a shell, so its words are quoted. */
export function groupFor(event: string, wiring: Wiring): JsonObject {
  return {
    ...(isToolEvent(event) ? { matcher: '.*' } : {}),
    hooks: [
      {
        type: 'command',
        command: commandFor(HOST, event, wiring, mustRefuse(event)),
        timeout: event === 'SessionEnd' ? SESSION_END_S : TIMEOUT_S,
      },
    ],
  };
}

/** `PreToolUse` as the host's own keys spell it. */
function snake(event: string): string {
  return event.replace(/(?<!^)[A-Z]/g, '_$&').toLowerCase();
}

/** Events whose matcher the host leaves out of the fingerprint, because it has no use for one. */
const UNMATCHED = new Set(['UserPromptSubmit', 'Stop', 'SessionEnd', 'SubagentStop']);

/** Key under which the host keeps a hook's trust. */
export function trustKey(file: string, event: string, group: number, handler: number): string {
  return `${file}:${snake(event)}:${group}:${handler}`;
}

/**
 * The fingerprint by which the host trusts a hook: a digest of its definition with defaults filled in (its app-server's
 * `hooks/list` gives the same). Null for a handler of another shape.
 */
export function trustHash(event: string, matcher: unknown, handler: unknown): string | null {
  if (!isObject(handler) || handler.type !== 'command' || typeof handler.command !== 'string') return null;
  const { timeout, command, statusMessage } = handler;
  const given = typeof timeout === 'number' ? Math.max(1, timeout) : 600;
  return `sha256:${digestOf({
    event_name: snake(event),
    ...(typeof matcher === 'string' && !UNMATCHED.has(event) ? { matcher } : {}),
    hooks: [
      {
        type: 'command',
        command,
        async: handler.async === true,
        timeout: event === 'SessionEnd' ? Math.min(given, SESSION_END_S) : given,
        ...(typeof statusMessage === 'string' ? { statusMessage } : {}),
      },
    ],
  })}`;
}

function text(value: string): string {
  return JSON.stringify(value);
}

/** Header of the table in which one hook's trust stands. */
export function trustHeader(key: string): string {
  return `[hooks.state.${text(key)}]`;
}

export function trustTable(key: string, hash: string): TomlTable {
  return { header: trustHeader(key), lines: ['enabled = true', `trusted_hash = ${text(hash)}`] };
}

export const SERVER_HEADER = `[mcp_servers.${SERVER}]`;

/**
 * The server's table. Its tools need no approval: a handshake must not wait for a human whom nobody asks. It is required,
 * so that a session waits for it, and does not begin without it.
 */
export function serverTable(wiring: Wiring): TomlTable {
  const { command, args } = serverFor(wiring);
  return {
    header: SERVER_HEADER,
    lines: [
      `command = ${text(command)}`,
      `args = [${args.map(text).join(', ')}]`,
      'default_tools_approval_mode = "approve"',
      'required = true',
      'startup_timeout_sec = 30',
    ],
  };
}
