import type { IntentStatus } from './words.ts';

/** One glob of an owned scope, compiled. `negated` globs take files out again (H-116). */
export interface CompiledGlob {
  readonly glob: string;
  /** Source of an anchored regular expression with micromatch's semantics. */
  readonly source: string;
  readonly negated: boolean;
  /** Fixed folder that every match lies in; `` for the workspace root. */
  readonly base: string;
}

/** Why a scope is refused at selection (H-51, H-53, H-54). */
export interface ScopeFault {
  readonly glob: string;
  readonly why: string;
}

/** An owned scope as the engine uses it. */
export interface CompiledScope {
  readonly globs: readonly CompiledGlob[];
  readonly fault: ScopeFault | null;
}

/** Limits as the file gives them; absent ones fall back to configured defaults, never to unlimited (H-95). */
export interface IntentBudget {
  readonly maxTurns?: number;
  readonly maxTokens?: number;
}

/** An intent as read from `active_intents.yaml` (H-42; fields in docs/file-formats.md). */
export interface Intent {
  readonly id: string;
  readonly name: string;
  readonly status: IntentStatus;
  readonly ownedScope: readonly string[];
  readonly constraints: readonly string[];
  readonly acceptanceCriteria: readonly string[];
  readonly budget: IntentBudget;
  readonly blockedReason?: string;
  /** 1-based line in the file, for messages. */
  readonly line: number;
  readonly scope: CompiledScope;
}

/** Statuses that an agent may select (H-9, H-10, H-13). */
export function isSelectable(status: IntentStatus): boolean {
  return status === 'PENDING' || status === 'IN_PROGRESS';
}

/** Statuses in which an intent keeps the files it has touched (H-66). */
export function holdsLocks(status: IntentStatus): boolean {
  return status === 'IN_PROGRESS' || status === 'BLOCKED';
}
