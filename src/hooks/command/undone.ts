/** A change that was undone. */
export interface Undone {
  readonly path: string;
  readonly why: string;
  /** Workspace-relative place where the command's version is kept. */
  readonly kept: string | null;
  /** It could not be put back and is still there. */
  readonly stands?: true;
}
