import type { Text } from './text.ts';

/** Marks the end of one field inside the value of a word. */
export const BREAK = 'break';

/** A stretch of a word's value; a quoted one makes a field even when it is empty. */
export type Atom = typeof BREAK | { readonly text: Text; readonly quoted: boolean };
