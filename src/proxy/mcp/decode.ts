import type { McpToolRule } from '../../config/policy.ts';
import { identityOf } from '../../core/identity.ts';
import type { JsonObject } from '../../core/json.ts';
import { bounded, isFileUri, pathsNamed, pathsRead, targetNamed } from '../../core/paths-named.ts';
import type { NamedTarget, TargetRole, ToolCall } from '../../core/tool-call.ts';
import { HANDSHAKE_TOOL } from '../../core/words.ts';
import type { OwnTool } from './own-tools.ts';

const MAX_NAME = 256;

/** What all calls of one client connection have in common, and the call's own id. */
export interface CallPlace {
  readonly sessionId: string;
  readonly callId: string;
  readonly cwd: string;
}

function named(text: string): string {
  return text.slice(0, MAX_NAME).toWellFormed();
}

/** Paths under the arguments that a declaration names; null when one of them holds something else. */
function pathsAt(args: JsonObject, keys: readonly string[], role: TargetRole): NamedTarget[] | null {
  const found: NamedTarget[] = [];
  for (const key of keys) {
    const value = args[key];
    if (value === undefined) continue;
    for (const path of Array.isArray(value) ? value : [value]) {
      if (typeof path !== 'string' || path === '') return null;
      // Under other names `file:x` is a file of that name, as at every other door.
      const uri = /ur[il]s?$/i.test(key) ? targetNamed(path, role) : null;
      found.push(uri ?? { path, role });
    }
  }
  return found;
}

function targetsBy(rule: McpToolRule, args: JsonObject): NamedTarget[] | null {
  switch (rule.kind) {
    case 'read':
    case 'write':
    case 'delete': {
      const targets = pathsAt(args, rule.paths, rule.kind);
      return targets && (targets.length > 0 || rule.paths.length === 0) ? targets : null;
    }
    case 'move': {
      const from = pathsAt(args, rule.from, 'move-from');
      const to = pathsAt(args, rule.to, 'move-to');
      return from && to && from.length > 0 && to.length > 0 ? [...from, ...to] : null;
    }
    default:
      return [];
  }
}

type Shape = Pick<ToolCall, 'kind' | 'mutating' | 'declared' | 'targets' | 'command'>;

/**
 * What a call does as far as a human has declared it. Throws a PactError on what is too much to be checked. Whatever does not fit its declaration counts as undeclared: it
 * is mutating, watched, and every path that its arguments name is held against the scope (H-30).
 */
function shapeOf(rule: McpToolRule | undefined, args: JsonObject): Shape {
  const targets = rule ? targetsBy(rule, args) : null;
  const command = rule?.kind === 'execute' ? args[rule.command] : undefined;
  if (!rule || !targets || (rule.kind === 'execute' && typeof command !== 'string'))
    return { kind: 'execute', mutating: true, declared: false, targets: pathsNamed(args) };
  return {
    kind: rule.kind,
    mutating: rule.kind !== 'read' && rule.kind !== 'network',
    declared: true,
    targets: bounded(targets),
    ...(typeof command === 'string' ? { command } : {}),
  };
}

/** The call of a server's tool as the engine judges it. The server's own annotations are not looked at. */
export function decodeToolCall(
  place: CallPlace,
  server: string,
  tool: string,
  shown: string,
  args: JsonObject,
  rule: McpToolRule | undefined,
): ToolCall {
  const name = named(`mcp__${server}__${tool}`);
  const { description: _note, ...meaningful } = args;
  return {
    ...place,
    tool: name,
    hostTool: named(shown),
    ...shapeOf(rule, args),
    args,
    identity: identityOf(name, meaningful),
  };
}

/** The call of one of our own tools. Two selections of the same intent are the same call, whatever their reasons. */
export function decodeOwnCall(place: CallPlace, tool: OwnTool, args: JsonObject): ToolCall {
  const handshake = tool.name === HANDSHAKE_TOOL;
  const meaningful = handshake ? { intent_id: args.intent_id ?? null } : args;
  return {
    ...place,
    tool: tool.name,
    hostTool: tool.name,
    kind: handshake ? 'control' : 'read',
    mutating: false,
    declared: true,
    targets: [],
    args,
    identity: identityOf(tool.name, meaningful),
  };
}

/** Reads that an agent could repeat for ever. */
const COUNTED: ReadonlySet<string> = new Set(['resources/read', 'prompts/get']);

/** What a URI names, if it is a file; what is no URI is read as a path. */
function filesRead({ uri, ...others }: JsonObject): NamedTarget[] {
  const isFile = typeof uri === 'string' && (isFileUri(uri) || !URL.canParse(uri));
  const file = isFile ? targetNamed(uri, 'read') : null;
  return [...(file === null ? [] : [file]), ...pathsRead(others)];
}

/** A request of a method that nobody here knows: judged as a call of an undeclared tool is. */
export function decodeUnknown(
  place: CallPlace,
  server: string,
  method: string,
  params: JsonObject,
): ToolCall {
  const { _meta: _private, ...meant } = params;
  return decodeToolCall(place, server, method, method, meant, undefined);
}

/**
 * Reading a resource, a prompt or completions of one, as a read: nothing is read before the handshake, and files that
 * the URI or the arguments name are held against the forbidden paths. Throws a PactError on too many.
 */
export function decodeRead(place: CallPlace, server: string, method: string, params: JsonObject): ToolCall {
  const tool = named(`mcp__${server}__${method}`);
  const { _meta: _private, ...meant } = params;
  return {
    ...place,
    tool,
    hostTool: method,
    kind: 'read',
    mutating: false,
    declared: true,
    targets: bounded(filesRead(meant)),
    args: params,
    // Completions are asked for as often as a human types: no loop of the agent's.
    identity: identityOf(tool, COUNTED.has(method) ? params : { call: place.callId }),
  };
}
