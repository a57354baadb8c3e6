/**
 * Bounds of the reader. A command beyond one of them is "not understood", which the engine refuses: a person or
 * an agent never needs such a command, somebody who wants to slow the reader down does.
 */

/** Longest command text, in UTF-16 units. Hostile nesting costs the parser quadratic time. */
export const MAX_LENGTH = 64 * 1024;

/**
 * Deepest nesting of syntax and of commands that run commands, counted together. A script of a careful person
 * stays below 40; the parser's own bound is 256 levels of one kind.
 */
export const MAX_DEPTH = 200;

/** Script text parsed in one reading, nested `sh -c` texts and the words of brace expansions included. */
export const MAX_PARSED = 512 * 1024;

/** Simple commands read in one reading; functions and loops can multiply them. */
export const MAX_STEPS = 10_000;

/** Values that a variable may have at one point before it counts as unknown. */
export const MAX_VALUES = 128;

/** Combinations of variable values and folders for which one simple command is read. */
export const MAX_WORLDS = 256;

/** Folders that the command may be in at one point before that counts as unknown. */
export const MAX_FOLDERS = 4;

/** Variables tracked at once; later ones count as unknown. */
export const MAX_VARIABLES = 200;

/** Words that one brace expansion may give before it counts as unknown. */
export const MAX_BRACES = 256;

/** Unquoted braces that one word may open; finding their ends takes quadratic time. */
export const MAX_OPEN_BRACES = 64;

/** Here-documents of one script, which the parser takes quadratic time to find. */
export const MAX_HEREDOCS = 1500;

/** Words of one simple command after all expansions. */
export const MAX_WORDS = 5000;

/** Entries of each list of a reading. */
export const MAX_FOUND = 20_000;
