import { MAX_IDENTICAL_CALLS, MAX_SCOPE_FILES } from '../core/words.ts';

/** Effective settings of a workspace: the user's file under the workspace's, defaults under both. */
export interface Policy {
  /** How often a handshake is due (architecture §4). */
  readonly handshakePer: 'request' | 'session';
  readonly allowBackground: boolean;
  /** Limits of intents that set none (H-95, C-80). */
  readonly maxTurns: number;
  readonly maxTokens: number;
  readonly maxIdenticalCalls: number;
  readonly maxScopeFiles: number;
  /** Folders that no tool may read or write; absolute or with `~`. */
  readonly forbiddenPaths: readonly string[];
}

export const DEFAULT_POLICY: Policy = {
  handshakePer: 'request',
  allowBackground: false,
  maxTurns: 50,
  maxTokens: 200_000,
  maxIdenticalCalls: MAX_IDENTICAL_CALLS,
  maxScopeFiles: MAX_SCOPE_FILES,
  forbiddenPaths: ['/etc', '/sys', '/boot', '~/.ssh'],
};
