import { isObject, type JsonObject } from '../../core/json.ts';
import type { ToolCall } from '../../core/tool-call.ts';
import type { HostEvent } from '../adapter.ts';
import { callOf } from '../shared/decode/call.ts';
import { identifierAt, malformed, optionalText, payloadOf, textAt } from '../shared/decode/payload.ts';
import { TOOLS } from './tools.ts';

export const HOST = 'windsurf';

/** Arguments of each action, so that what its end carries besides does not make another call of it. */
const ARGUMENTS: Readonly<Record<string, readonly string[]>> = {
  read_code: ['file_path'],
  write_code: ['file_path', 'edits'],
  run_command: ['command_line', 'cwd'],
};

const CONTROLS = /[\u0000-\u001f]/g;

/** Control characters stand raw inside the strings of some payloads; JSON wants them escaped. */
function escapeControls(text: string): string {
  return text.replace(/"(?:[^"\\]|\\[\s\S])*"/g, (string) =>
    string.replace(CONTROLS, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`),
  );
}

/** The same bytes where they are JSON already, or cannot be made so. */
function readable(bytes: Uint8Array): Uint8Array {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    try {
      JSON.parse(text);
      return bytes;
    } catch {
      return Buffer.from(escapeControls(text));
    }
  } catch {
    return bytes;
  }
}

function infoOf(raw: JsonObject): JsonObject {
  const info = raw.tool_info ?? {};
  if (!isObject(info)) throw malformed(HOST, 'tool_info is not an object');
  return info;
}

/** Reads the bytes of a hook's standard input. The payload names no workspace; the registration does. */
export function decodeInput(bytes: Uint8Array): HostEvent {
  const raw = payloadOf(HOST, readable(bytes));
  return {
    event: textAt(HOST, raw, 'agent_action_name'),
    sessionId: identifierAt(HOST, raw, 'trajectory_id'),
    cwd: optionalText(infoOf(raw), 'cwd') ?? '/',
    raw,
  };
}

/** Decodes an action into the call that the engine judges. Throws a PactError on what it cannot decode. */
export function decodeCall({ raw, event, sessionId, cwd }: HostEvent): ToolCall {
  const info = infoOf(raw);
  const action = event.replace(/^(?:pre|post)_/, '');
  const keys = ARGUMENTS[action];
  const common = { host: HOST, sessionId, cwd, callId: null };
  if (keys) {
    const args = Object.fromEntries(
      keys.flatMap((key) => (info[key] === undefined ? [] : [[key, info[key]]])),
    );
    return callOf({ ...common, name: action, args }, TOOLS);
  }
  if (action !== 'mcp_tool_use') throw malformed(HOST, `${event} is no action of a tool`);
  const args = info.mcp_tool_arguments ?? {};
  if (!isObject(args)) throw malformed(HOST, 'mcp_tool_arguments is not an object');
  const name = `${textAt(HOST, info, 'mcp_server_name')}/${textAt(HOST, info, 'mcp_tool_name')}`;
  return callOf({ ...common, name, args }, TOOLS);
}
