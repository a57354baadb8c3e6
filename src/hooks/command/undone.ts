import type { ViolationKind } from '../../core/words.ts';

/** A change that was undone. */
export interface Undone {
  readonly path: string;
  readonly why: string;
  /** Kind of the rule that refuses it; absent for what is protected whatever the rules say. */
  readonly kind?: ViolationKind;
  /** Workspace-relative place where the command's version is kept. */
  readonly kept: string | null;
  /** It could not be put back and is still there. */
  readonly stands?: true;
}
