/** What is known of the shared index since the last snapshot of any process. */
export interface Seal {
  readonly mark: string;
  readonly tree: string;
  readonly digest: string;
  /** Mark of the user's index when its files in ignored folders were last entered. */
  readonly user: string;
}

/** Reads what {@link toText} wrote; null for any other text. */
export function toSeal(text: string | null): Seal | null {
  const [mark, tree, digest, user = ''] = text?.split(' ') ?? [];
  return mark && tree && digest ? { mark, tree, digest, user } : null;
}

/** A seal as one line without line breaks, to be kept as a note. */
export function toText({ mark, tree, digest, user }: Seal): string {
  return `${mark} ${tree} ${digest} ${user}`;
}
