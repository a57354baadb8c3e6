import type { JsonObject } from './json.ts';
import type { ToolKind } from './words.ts';

/** What a call wants to do with a path. */
export type TargetRole = 'read' | 'write' | 'delete' | 'move-from' | 'move-to';

/** A path as the caller spelled it, before anything is resolved. */
export interface NamedTarget {
  readonly path: string;
  readonly role: TargetRole;
  /** The path comes from an argument that can hold any text. It counts only if it leads out of the workspace. */
  readonly guess?: true;
  /** Why the door cannot tell which path is meant. */
  readonly problem?: string;
}

/** One decoded tool call: what every door turns its host's payload into. */
export interface ToolCall {
  /** The host's own id of the call; joins PreToolUse with PostToolUse. */
  readonly callId: string;
  /** The host gave no id. After decoding, `callId` is the same for all calls of this tool with these arguments. */
  readonly unnamed?: boolean;
  readonly sessionId: string;
  /** Canonical tool name (C-54), for example `file_write`. */
  readonly tool: string;
  /** The name as the host spells it, for messages. */
  readonly hostTool: string;
  readonly kind: ToolKind;
  /** May change something. A tool that nobody declared is mutating (H-30). */
  readonly mutating: boolean;
  /** False for a tool that no declaration covers. */
  readonly declared: boolean;
  readonly targets: readonly NamedTarget[];
  /** The shell command, when the tool runs one. */
  readonly command?: string;
  /** The command is meant to go on after the call returns. */
  readonly background?: boolean;
  readonly args: JsonObject;
  /** SHA-256 of what makes two calls identical: canonical tool and its meaningful arguments (H-90). */
  readonly identity: string;
  /** The call only looks up the handshake tool, on a host that hides tools until they are asked for. */
  readonly findsHandshake?: boolean;
  /** The agent's own reason for the call, if the host passes it on. Untrusted. */
  readonly rationale?: string;
  /** Folder that relative paths start from. */
  readonly cwd: string;
  /** Set when a subagent of the session makes the call. */
  readonly agentId?: string;
}

/** Roles that change something at their path. */
export function isMutatingRole(role: TargetRole): boolean {
  return role !== 'read';
}
