import type { ParsedScript } from 'unbash';
import type { Text } from './text.ts';

/** One way things may stand when a word is evaluated: every variable has one value, known or not. */
export interface World {
  /** The folder, null when unknown. */
  readonly cwd: string | null;
  /** The user's home as `~` gives it. */
  readonly home: Text;
  /** `$1`, `$2`, …; null when unknown. */
  readonly params: readonly Text[] | null;
  /** Value of a variable; null when nothing is known about it. */
  lookup(name: string): Text | null;
  /** What a command substitution prints, when that can be read off. */
  printed(script: ParsedScript): Text | null;
}
