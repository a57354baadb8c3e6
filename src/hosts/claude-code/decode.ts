import { digestOf } from '../../core/digest.ts';
import { PactError } from '../../core/errors.ts';
import { isObject, type JsonObject, type JsonValue } from '../../core/json.ts';
import type { NamedTarget, ToolCall } from '../../core/tool-call.ts';
import { HANDSHAKE_TOOL } from '../../core/words.ts';
import { OWN_PREFIX, pathsNamed, TOOLS, type ToolShape } from './tools.ts';

/** What every payload of the host carries (its documentation, hooks reference; recorded payloads). */
export interface HookInput {
  readonly event: string;
  readonly sessionId: string;
  readonly cwd: string;
  readonly transcriptPath: string | null;
  readonly agentId: string | null;
  readonly raw: JsonObject;
}

function malformed(message: string): PactError {
  return new PactError(
    'INVALID_INPUT',
    `the host's message cannot be understood: ${message}`,
    'Check that the host is a supported version: pactclaw verify claude-code.',
  );
}

function text(raw: JsonObject, key: string): string {
  const value = raw[key];
  if (typeof value !== 'string' || value === '') throw malformed(`${key} is missing`);
  return value;
}

/** Reads the bytes of a hook's standard input. Anything that is not one JSON object of the host's shape throws. */
export function decodeInput(bytes: Uint8Array): HookInput {
  let content: string;
  try {
    content = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw malformed('it is not UTF-8');
  }
  let raw: unknown;
  try {
    raw = JSON.parse(content);
  } catch {
    throw malformed(content.trim() === '' ? 'it is empty' : 'it is not JSON');
  }
  if (!isObject(raw)) throw malformed('it is not a JSON object');
  const sessionId = text(raw, 'session_id');
  if (sessionId.length > 256 || !sessionId.isWellFormed()) throw malformed('session_id is not an identifier');
  return {
    event: text(raw, 'hook_event_name'),
    sessionId,
    cwd: text(raw, 'cwd'),
    transcriptPath:
      typeof raw.transcript_path === 'string' && raw.transcript_path !== '' ? raw.transcript_path : null,
    agentId: typeof raw.agent_id === 'string' && raw.agent_id !== '' ? raw.agent_id : null,
    raw,
  };
}

/** An undeclared tool, an MCP tool of another server among them: mutating, watched, its paths held against the scope. */
function undeclared(name: string): ToolShape {
  return { tool: name.startsWith('mcp__') ? name : `unknown:${name}`, kind: 'execute', mutating: true };
}

function targetsOf(shape: ToolShape, declared: boolean, input: JsonObject): NamedTarget[] {
  if (!declared) return pathsNamed(input);
  if (!shape.path) return [];
  const value = input[shape.path.key];
  if (typeof value === 'string' && value !== '') return [{ path: value, role: shape.path.role }];
  if (shape.path.required || value !== undefined) throw malformed(`${shape.tool} names no ${shape.path.key}`);
  return [];
}

/** `select:` of our own handshake tool and nothing else: how this host loads a tool that it has deferred. */
function findsHandshake(name: string, input: JsonObject): boolean {
  return name === 'ToolSearch' && input.query === `select:${OWN_PREFIX}${HANDSHAKE_TOOL}`;
}

function meaningful(shape: ToolShape, input: JsonObject): JsonValue {
  const keys = shape.identity ?? Object.keys(input).filter((key) => key !== 'description');
  return Object.fromEntries(keys.flatMap((key) => (input[key] === undefined ? [] : [[key, input[key]]])));
}

/** Hashes what makes two calls identical. Text that is no Unicode is replaced: it must still be countable. */
function identityOf(tool: string, args: JsonValue): string {
  try {
    return digestOf({ tool, args });
  } catch {
    return digestOf({ tool, args: JSON.stringify(args).toWellFormed() });
  }
}

/** Decodes a tool event into the call that the engine judges. Throws a PactError on what it cannot decode. */
export function decodeCall(input: HookInput): ToolCall {
  const { raw } = input;
  const name = text(raw, 'tool_name');
  const args = raw.tool_input ?? {};
  if (!isObject(args)) throw malformed('tool_input is not an object');
  const known = Object.hasOwn(TOOLS, name) ? TOOLS[name] : undefined;
  const shape = known ?? undeclared(name);
  const command = shape.commandKey === undefined ? undefined : args[shape.commandKey];
  if (
    shape.commandKey !== undefined &&
    typeof command !== 'string' &&
    !(name === 'Monitor' && isObject(args.ws))
  )
    throw malformed(`${name} names no ${shape.commandKey}`);
  return {
    callId:
      typeof raw.tool_use_id === 'string' && raw.tool_use_id !== ''
        ? raw.tool_use_id.slice(0, 256)
        : `${input.sessionId}:unnamed`,
    ...(typeof raw.tool_use_id === 'string' && raw.tool_use_id !== '' ? {} : { unnamed: true }),
    sessionId: input.sessionId,
    tool: shape.tool,
    hostTool: name.slice(0, 256).toWellFormed(),
    kind: shape.kind,
    mutating: shape.mutating,
    declared: known !== undefined,
    targets: targetsOf(shape, known !== undefined, args),
    ...(typeof command === 'string' ? { command } : {}),
    ...(args.run_in_background === true || name === 'Monitor' ? { background: true } : {}),
    args,
    identity: identityOf(shape.tool, meaningful(shape, args)),
    ...(typeof args.description === 'string' && shape.kind === 'execute'
      ? { rationale: args.description }
      : {}),
    ...(findsHandshake(name, args) ? { findsHandshake: true } : {}),
    cwd: input.cwd,
    ...(input.agentId === null ? {} : { agentId: input.agentId }),
  };
}
