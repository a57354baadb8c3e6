import type { Intent } from './intent.ts';
import type { SessionPosition } from './machine.ts';
import type { TargetRole, ToolCall } from './tool-call.ts';

/** Why the engine cannot trust its own state (H-100, H-101). */
export interface FailSafe {
  readonly reason: string;
  readonly file: string | null;
  readonly line: number | null;
  readonly remedy: string;
}

/** Who holds a file (H-65, H-66). */
export interface Owner {
  readonly intentId: string;
  readonly intentName: string;
}

/** A target after links, `..` and spellings are resolved (H-61). */
export interface ResolvedTarget {
  /** As the caller spelled it. */
  readonly asked: string;
  readonly role: TargetRole;
  /** Workspace-relative with `/`, `` for the root; null when it lies outside. */
  readonly relative: string | null;
  readonly absolute: string;
  /** What it belongs to if no agent may change it; null otherwise. */
  readonly protectedAs: string | null;
  /**
   * It lies in the system's temporary folder, or in one that a host keeps for its agents' notes (U-9): outside the
   * workspace, and free.
   */
  readonly scratch?: boolean;
  /** A configured forbidden path it lies under. */
  readonly forbiddenBy: string | null;
  /** Why it cannot be resolved safely (link loop, control character, second hard link …). */
  readonly problem: string | null;
  readonly owner: Owner | null;
}

/** What the shell reader found out about a command. */
export interface ShellFacts {
  readonly understood: boolean;
  readonly problems: readonly string[];
  readonly background: boolean;
  /** A protected place that the command changes, or that one of its patterns could match. */
  readonly touchesProtected: string | null;
  /** An administrative command of PactClaw, or of its host's wiring, that only a human runs. */
  readonly adminCommand: string | null;
}

/** What `select_active_intent` was asked for. */
export interface HandshakeFacts {
  /** The value given, whatever its type. */
  readonly asked: unknown;
  readonly intent: Intent | null;
  /** Files that the intent's scope covers now; null when they were not counted. */
  readonly scopeFiles: number | null;
}

export interface Usage {
  /** Model responses that were made for the intent, the one asking included. */
  readonly turns: number;
  readonly tokens: number;
}

export interface Limits {
  readonly maxTurns: number;
  readonly maxTokens: number;
  readonly maxIdenticalCalls: number;
  readonly maxScopeFiles: number;
}

/** What the session has done so far. */
export interface SessionFacts extends SessionPosition {
  readonly id: string;
  /** Identical calls in a row, this one included (H-88, H-90). */
  readonly repeats: number;
  /** What halted the session, when it is halted. */
  readonly haltReason: string | null;
}

export interface PolicyFacts {
  readonly allowBackground: boolean;
}

/** All input of a decision, gathered before any rule runs. */
export interface Facts {
  readonly call: ToolCall;
  readonly failSafe: FailSafe | null;
  /** Path of the emergency stop file when it is set. */
  readonly estop: string | null;
  /** A call with this id was attempted earlier in this session. */
  readonly replayed?: boolean;
  readonly session: SessionFacts;
  /** The session's active intent as the file has it now; null when it is gone or none is active. */
  readonly intent: Intent | null;
  /** IDs and names that could be selected now, for messages. */
  readonly selectable: readonly { readonly id: string; readonly name: string }[];
  readonly handshake: HandshakeFacts | null;
  readonly usage: Usage;
  readonly limits: Limits;
  readonly targets: readonly ResolvedTarget[];
  /** Files the scope would cover after this call, when the call creates one; else null. */
  readonly scopeFilesAfter: number | null;
  readonly shell: ShellFacts | null;
  readonly policy: PolicyFacts;
}
