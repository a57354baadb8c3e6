import type { Function as FunctionNode, ParsedScript, Statement, SyntaxNode, Word } from 'unbash';
import type { Found } from './found.ts';
import type { Flow, State } from './state.ts';
import type { Text } from './text.ts';
import type { World } from './world.ts';

/** The walk through a script, as the readers of its parts see it. */
export interface Walker {
  readonly found: Found;
  readonly home: string;
  /** What the command being read gets on standard input; see `Call.stdin`. */
  stdin: Text | null | undefined;
  /** `exec <FILE` was read: from then on nobody can say what standard input is. */
  isStdinMoved: boolean;
  /** States at `return`, one list for each function being read; null where a subshell begins. */
  readonly returns: (State[] | null)[];
  /** States at `break` and `continue`, one list for each loop being read; null where a subshell begins. */
  readonly breaks: (State[] | null)[];
  /** Functions defined and not yet called: read once more when everything else is done. */
  readonly pending: Map<FunctionNode, State>;
  /** Functions being read, which ends the reading of those that call themselves. */
  readonly active: Set<FunctionNode>;
  /** Texts of traps, read when everything else is done. */
  readonly traps: Set<Text>;
  /** Reads script text in the given state. Throws NotUnderstood when it is no shell text. */
  source(text: string, state: State): Flow;
  subscript(script: ParsedScript, state: State): void;
  /** Runs `work` as a subshell does: what it does to the walk's own lists ends with it. */
  isolated(work: () => unknown): void;
  /** Runs `work` with another standard input. */
  withStdin<T>(stdin: Text | null | undefined, work: () => T): T;
  list(commands: readonly Statement[], state: State): Flow;
  read(node: SyntaxNode, state: State): Flow;
  /** Reads the scripts inside words and tests. `reader` is the command that surely reads what they give it. */
  expansions(nodes: readonly SyntaxNode[], state: State, reader?: string | null): State;
  worlds(names: ReadonlySet<string>, state: State): readonly World[];
  readonly parseWord: (raw: string) => Word | null;
}
