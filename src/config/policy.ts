import { MAX_IDENTICAL_CALLS, MAX_SCOPE_FILES } from '../core/words.ts';

/**
 * What a human says that a tool of an MCP server does. The lists name arguments that hold a path, or a list of paths;
 * `command` names the argument that holds a shell command.
 */
export type McpToolRule =
  | { readonly kind: 'read'; readonly paths: readonly string[] }
  | { readonly kind: 'network' }
  | { readonly kind: 'write' | 'delete'; readonly paths: readonly string[] }
  | { readonly kind: 'move'; readonly from: readonly string[]; readonly to: readonly string[] }
  | { readonly kind: 'execute'; readonly command: string };

/** Effective settings of a workspace: the user's file under the workspace's, defaults under both. */
export interface Policy {
  /** How often a handshake is due. */
  readonly handshakePer: 'request' | 'session';
  readonly allowBackground: boolean;
  /** Limits of intents that set none (H-95, C-80). */
  readonly maxTurns: number;
  readonly maxTokens: number;
  readonly maxIdenticalCalls: number;
  readonly maxScopeFiles: number;
  /** Folders that no tool may read or write; absolute or with `~`. */
  readonly forbiddenPaths: readonly string[];
  /** Declared tools of MCP servers, by `server/tool`. A tool that is not here counts as mutating (H-30). */
  readonly mcpTools: Readonly<Record<string, McpToolRule>>;
  /** Whether a hook that finds no resident engine starts one. */
  readonly serve: 'auto' | 'off';
  /** Where the operator log is written, absolute or with `~`; null where it is not. */
  readonly logFile: string | null;
  /**
   * How commands run: in a container where that is possible (`auto`), only so (`contained`), or in the real tree and
   * compared afterwards (`watched`).
   */
  readonly execution: 'auto' | 'contained' | 'watched';
}

export const DEFAULT_POLICY: Policy = {
  handshakePer: 'request',
  allowBackground: false,
  maxTurns: 50,
  maxTokens: 200_000,
  maxIdenticalCalls: MAX_IDENTICAL_CALLS,
  maxScopeFiles: MAX_SCOPE_FILES,
  forbiddenPaths: ['/etc', '/sys', '/boot', '~/.ssh'],
  mcpTools: {},
  serve: 'auto',
  logFile: null,
  execution: 'watched',
};
