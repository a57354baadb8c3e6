import type { ShellRole } from './found.ts';
import type { Flow, State } from './state.ts';
import type { Text } from './text.ts';
import type { Walker } from './walker.ts';

/** More about a touched path. */
export interface Touch {
  readonly recursive?: boolean;
  readonly onlyIf?: { readonly path: Text; readonly isFolder: boolean };
  /** Folder that the path is relative to, when it is not the command's own. */
  readonly cwd?: string | null;
}

/** How a command is run by another one. */
export interface RunOptions {
  readonly cwd?: string | null;
  /** What it reads: null when unknown data is piped in. */
  readonly stdin?: Text | null;
  /** Variables set for it alone. */
  readonly env?: ReadonlyMap<string, Text>;
  /** Positional parameters of a script. */
  readonly params?: readonly Text[] | null;
  /** Skip functions and builtins, as every wrapper that is a program of its own does. */
  readonly isExternal?: boolean;
}

/** One simple command with its words valued, as its handler sees it. */
export interface Call {
  /** Basename of the command. */
  readonly name: string;
  /** Without the name itself. */
  readonly args: readonly Text[];
  readonly cwd: string | null;
  readonly home: Text;
  readonly state: State;
  /** Script text or data on standard input: undefined when nothing is piped in, null when it is unknown. */
  readonly stdin: Text | null | undefined;
  readonly env: ReadonlyMap<string, Text>;
  /** The walk that reads the command, for the builtins that steer it (`return`, `trap`). */
  readonly walker: Walker;
  touch(path: Text, role: ShellRole, more?: Touch): void;
  /** Notes that `path` becomes a link to `source`. */
  link(path: Text, source: Text, isSymbolic: boolean): void;
  /** Says that the effect of something cannot be read; `what` completes "NAME: …". */
  opaque(what: string): void;
  background(): void;
  /** Reads a command line that this command runs; its changes to variables and folder stay its own. */
  run(argv: readonly Text[], options?: RunOptions): void;
  /** Reads a command line that runs in the present shell, past functions: `command cd x`. */
  runHere(argv: readonly Text[]): Flow;
  /** Reads script text in a shell of its own. */
  script(text: Text, options?: RunOptions): void;
  /** Reads text that a program hands to a shell, where it is not known for certain that it is a whole script. */
  guess(text: string): void;
  /** Reads script text in the present shell, as `eval` does. */
  inline(text: Text): Flow;
}

/** Reads one command. Returns a flow only when it changes the shell's own state. */
// biome-ignore lint/suspicious/noConfusingVoidType: most handlers change no state and end without a return
export type Handler = (call: Call) => Flow | undefined | void;
