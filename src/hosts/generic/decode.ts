import { identityOf } from '../../core/identity.ts';
import { pathsNamed } from '../../core/paths-named.ts';
import { isMutatingRole, type ToolCall } from '../../core/tool-call.ts';
import { unnamedId } from '../../core/unnamed.ts';
import { HANDSHAKE_TOOL } from '../../core/words.ts';
import type { GenericCall, GenericMessage } from './contract.ts';
import { HARMLESS_KINDS } from './names.ts';

/** Without a kind a tool is undeclared, and so it is mutating whatever else is said of it (H-30). */
function isMutating({ kind, mutating, targets }: GenericCall): boolean {
  const harmless = kind !== undefined && HARMLESS_KINDS.has(kind);
  return !harmless || mutating === true || (targets ?? []).some(({ role }) => isMutatingRole(role));
}

/** The call of a message, as the engine judges it; null when it has none. */
export function toToolCall(message: GenericMessage): ToolCall | null {
  const { call, session_id: sessionId, cwd } = message;
  if (!call) return null;
  const isHandshake = call.tool === HANDSHAKE_TOOL;
  const declared = isHandshake || call.kind !== undefined;
  const tool = declared ? call.tool : `unknown:${call.tool}`;
  const same = isHandshake ? { intent_id: call.args.intent_id ?? null } : call.args;
  return {
    callId: call.id ?? unnamedId(call.tool, call.args),
    ...(call.id === undefined ? { unnamed: true } : {}),
    sessionId,
    tool: tool.toWellFormed(),
    hostTool: call.tool.toWellFormed(),
    kind: isHandshake ? 'control' : (call.kind ?? 'execute'),
    mutating: !isHandshake && isMutating(call),
    declared,
    // What an undeclared tool is said to name is not all that it may name.
    targets: [...(call.targets ?? []), ...(declared ? [] : pathsNamed(call.args))],
    ...(call.command === undefined ? {} : { command: call.command }),
    ...(call.background ? { background: true } : {}),
    args: call.args,
    identity: identityOf(tool, call.command === undefined ? same : { command: call.command, same }),
    ...(call.rationale === undefined ? {} : { rationale: call.rationale }),
    cwd,
    ...(call.agent_id === undefined ? {} : { agentId: call.agent_id }),
  };
}
