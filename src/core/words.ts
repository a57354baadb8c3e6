/**
 * The house's words, each spelled once. Every other module, door and document takes them from here.
 */

/** The three states of the handshake (H-1) and the end of a halted session (H-88). */
export const STATES = ['REQUEST', 'REASONING_INTERCEPT', 'CONTEXTUALIZED_ACTION', 'HALTED'] as const;
export type SessionState = (typeof STATES)[number];

/** What a tool does to the world; decides which rules look at it. */
export const TOOL_KINDS = ['read', 'write', 'delete', 'move', 'execute', 'network', 'control'] as const;
export type ToolKind = (typeof TOOL_KINDS)[number];

/** Life of an intent (H-43). Only a human moves it out of BLOCKED or COMPLETED. */
export const INTENT_STATUSES = ['PENDING', 'IN_PROGRESS', 'BLOCKED', 'COMPLETED', 'ABANDONED'] as const;
export type IntentStatus = (typeof INTENT_STATUSES)[number];

/** What the engine answers to a call. `halt` is a refusal that also ends the session. */
export const VERDICTS = ['allow', 'ask', 'deny', 'halt'] as const;
export type Verdict = (typeof VERDICTS)[number];

/** Why a call was refused; the `violation.kind` of a denied receipt (C-52). */
export const VIOLATION_KINDS = [
  'fail_safe',
  'estop',
  'state',
  'handshake',
  'intent_status',
  'budget',
  'loop',
  'breadth',
  'scope',
  'ownership',
  'policy',
  'approval',
  'rule_error',
] as const;
export type ViolationKind = (typeof VIOLATION_KINDS)[number];

/** What a recorded mutation did to a file, or that a command changed none (docs/file-formats.md). */
export const MUTATIONS = ['create', 'modify', 'delete', 'move', 'command'] as const;
export type Mutation = (typeof MUTATIONS)[number];

/** Hook phases of the engine (H-22) and the session events beside them. */
export const PHASES = [
  'SessionStart',
  'UserPrompt',
  'PreToolUse',
  'PostToolUse',
  'PreCompact',
  'Stop',
] as const;
export type Phase = (typeof PHASES)[number];

/** Risk as a receipt writes it (R-99, C-20). */
export type Risk = 'low' | 'medium' | 'high';

/** Outcome as a receipt writes it (C-43). */
export type ReceiptStatus = 'allowed' | 'denied' | 'failed';

/** Canonical name of the handshake tool (H-32). */
export const HANDSHAKE_TOOL = 'select_active_intent';

/** Name of the sidecar folder that holds a workspace's governance state (H-41). */
export const SIDECAR = '.orchestration';

/** Hard limits of the handshake: they may be lowered by configuration, never raised (H-52, C-31). */
export const MAX_SCOPE_FILES = 20;
export const MAX_IDENTICAL_CALLS = 3;
