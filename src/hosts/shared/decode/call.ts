import { PactError } from '../../../core/errors.ts';
import { identityOf } from '../../../core/identity.ts';
import type { JsonObject, JsonValue } from '../../../core/json.ts';
import { pathsNamed } from '../../../core/paths-named.ts';
import type { NamedTarget, ToolCall } from '../../../core/tool-call.ts';
import { unnamedId } from '../../../core/unnamed.ts';
import { malformed } from './payload.ts';
import { foreign, type ToolShape, type ToolTable } from './tool-shape.ts';

const MAX_NAME = 256;

/** A tool call as the host carries it, its parts found but not yet read. */
export interface CallSource {
  readonly host: string;
  readonly sessionId: string;
  readonly cwd: string;
  /** The host's own id of the call; null where it gives none. */
  readonly callId: string | null;
  /** The tool as the host names it. */
  readonly name: string;
  readonly args: JsonObject;
  /** Set when a subagent of the session makes the call. */
  readonly agentId?: string | null;
  /** The call only looks up the handshake tool. */
  readonly findsHandshake?: boolean;
}

/** A tool that no table declares: mutating, watched, its paths held against the scope (H-30). */
function undeclared(name: string): ToolShape {
  return { tool: /^mcp_/i.test(name) ? name : `unknown:${name}`, kind: 'execute', mutating: true };
}

function targetsOf(host: string, shape: ToolShape, args: JsonObject): NamedTarget[] {
  if (shape.targets) return shape.targets(args);
  if (!shape.path) return [];
  const value = args[shape.path.key];
  if (typeof value === 'string' && value !== '') return [{ path: value, role: shape.path.role }];
  if (shape.path.required || value !== undefined)
    throw malformed(host, `${shape.tool} names no ${shape.path.key}`);
  return [];
}

function meaningful(shape: ToolShape, args: JsonObject): JsonValue {
  const keys = shape.identity ?? Object.keys(args).filter((key) => key !== 'description');
  return Object.fromEntries(keys.flatMap((key) => (args[key] === undefined ? [] : [[key, args[key]]])));
}

/** Reads a host's call by its table of tools. Throws a PactError on what it cannot read: the call is refused. */
export function callOf(source: CallSource, tools: ToolTable): ToolCall {
  const { host, name, args, sessionId, cwd } = source;
  const known = Object.hasOwn(tools, name) ? tools[name] : undefined;
  const shape = known ?? undeclared(name.slice(0, MAX_NAME).toWellFormed());
  const command = shape.command?.(args) ?? null;
  return {
    callId: source.callId?.slice(0, MAX_NAME) ?? unnamedId(name.slice(0, MAX_NAME), args),
    ...(source.callId === null ? { unnamed: true } : {}),
    sessionId,
    tool: shape.tool,
    hostTool: name.slice(0, MAX_NAME).toWellFormed(),
    kind: shape.kind,
    mutating: shape.mutating,
    declared: known !== undefined,
    targets: known ? targetsOf(host, shape, args) : pathsNamed(args),
    ...(command === null ? {} : { command }),
    ...(shape.background?.(args) ? { background: true } : {}),
    args,
    identity: identityOf(shape.tool, meaningful(shape, args)),
    ...(typeof args.description === 'string' && shape.kind === 'execute'
      ? { rationale: args.description }
      : {}),
    ...(source.findsHandshake ? { findsHandshake: true } : {}),
    cwd,
    ...(source.agentId ? { agentId: source.agentId } : {}),
  };
}

/** The command that an argument holds; a call without it cannot be judged. */
export function commandAt(host: string, tool: string, key: string): (args: JsonObject) => string {
  return (args) => {
    const value = args[key];
    if (typeof value !== 'string') throw malformed(host, `${tool} names no ${key}`);
    return value;
  };
}

/** A tool whose effect the host does not report. It cannot be judged, so every call of it is refused. */
export function hidden(tool: string, why: string): ToolShape {
  return {
    ...foreign(tool),
    command: () => {
      throw new PactError('PERMISSION_DENIED', `${tool} cannot be judged: ${why}`, 'Use another tool.');
    },
  };
}

/** A tool that runs the shell command of an argument. */
export function shell(host: string, tool: string, key: string, ...alsoIdentity: string[]): ToolShape {
  return {
    tool,
    kind: 'execute',
    mutating: true,
    command: commandAt(host, tool, key),
    identity: [key, ...alsoIdentity],
  };
}
