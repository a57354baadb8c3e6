import type { Entry, Kept } from './merge.ts';

/** What an installation must remember of one part to undo it to the byte. No content of any settings file is kept. */
export interface FileNote {
  /** The file was not there before us. */
  readonly created: boolean;
  /** How many of its folders were not there either. */
  readonly madeFolders: number;
  readonly kept: Kept;
}

/** One file's share of an installation. Several parts may share a file, each undone for itself. */
export interface Part {
  readonly file: string;
  /** Key of its note. */
  readonly key: string;
  /** What a file that holds nothing else looks like; made so, it is removed again with the last part. */
  readonly blank: string;
  /** What it writes, for a human who wants to see it first. */
  readonly entries: readonly Entry[];
  /** The whole file is ours; uninstalling removes it. */
  readonly whole?: boolean;
  /** The host runs the file itself. */
  readonly executable?: boolean;
  /**
   * The text with this part in it, and what must be remembered; null when exactly that is there already. Throws a
   * PactError when something of somebody else stands in its place.
   */
  add(text: string, note: FileNote | null): { readonly text: string; readonly kept: Kept } | null;
  /** The text without anything of this part. */
  strip(text: string, note: FileNote | null): string;
}
