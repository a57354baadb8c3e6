import type { Mutation } from './words.ts';

/**
 * A block of lines that a mutation wrote. `content_hash` is the SHA-256 of the exact bytes of lines
 * `start_line`…`end_line` (1-based, of the file after the mutation, line ends included), so that
 * `sed -n 'START,ENDp' FILE | sha256sum` prints it (H-73).
 */
export interface TraceRange {
  readonly start_line: number;
  readonly end_line: number;
  readonly content_hash: string;
  /** Base64 of six bytes a line: the line fingerprints that find moved and re-indented code (H-80, H-83). */
  readonly lines: string;
}

/** Who wrote it (`contributor` of Agent Trace v0.1.0; `model_id` is that schema's name). */
export interface Contributor {
  readonly type: 'ai' | 'human' | 'mixed' | 'unknown';
  readonly model_id?: string;
}

/** What a hook knows of a mutation before the ledger gives it its place in the chain. */
export interface TraceDraft {
  readonly intent_id: string;
  readonly intent_name: string;
  readonly contributor: Contributor;
  /** SHA-256 of the file after the mutation; of the removed content for a delete; of the run for a command (H-78). */
  readonly content_hash: string;
  readonly previous_content_hash: string | null;
  readonly ranges: readonly TraceRange[];
  readonly rationale: string;
  /** Workspace-relative with `/`; null for a command that changed no file. */
  readonly path: string | null;
  /** Where a moved file came from. */
  readonly from_path?: string;
  readonly mutation: Mutation;
  readonly tool_name: string;
  readonly host: { readonly name: string; readonly version?: string };
  readonly session_id: string;
  readonly receipt_id: string;
  readonly vcs: { readonly type: 'git'; readonly revision: string } | null;
}

/** A ledger line: the draft, its identity and its place in the writer's chain. */
export interface TraceRecord extends TraceDraft {
  readonly id: string;
  readonly timestamp: string;
  readonly writer: string;
  readonly seq: number;
  readonly previous_hash: string;
  readonly entry_hash: string;
}
