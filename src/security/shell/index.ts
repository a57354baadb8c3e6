import { settleConditions } from './conditions.ts';
import { Found, type Invocation, NotUnderstood, type ShellTarget, type ShellUnread } from './found.ts';
import { followLinks } from './links.ts';
import { mentionsIn } from './mentions.ts';
import { afterwards, type Flow, joinStates, type State } from './state.ts';
import { staticOf } from './text.ts';
import { ScriptWalker } from './walk.ts';
import type { Walker } from './walker.ts';

export type { Invocation, ShellTarget, ShellUnread } from './found.ts';

/** What a shell command does to files, as far as its text tells. Nothing is run and no file is looked at. */
export interface ShellReading {
  /** False: the command is no shell text that we understand, and must be refused. The lists are then incomplete. */
  readonly understood: boolean;
  /** Why it is not understood, for humans. */
  readonly problems: readonly string[];
  /** Paths that the command writes, deletes or moves. */
  readonly targets: readonly ShellTarget[];
  /** Writes that exist but whose paths cannot be read off. */
  readonly unread: readonly ShellUnread[];
  /** Things that run and whose effect on files cannot be read, as "NAME: why". */
  readonly opaque: readonly string[];
  /** Something goes on after the command has returned. */
  readonly background: boolean;
  /** Basenames of all simple commands at any depth. */
  readonly commands: readonly string[];
  /** Simple commands with the words that can be read; null for a word that cannot. */
  readonly invocations: readonly Invocation[];
  /** Every known word and piece of a word, and the path-like parts of longer ones. */
  readonly words: readonly string[];
  /** Absolute paths that its commands name as arguments or read from. */
  readonly named: readonly string[];
  /** The same as file globs; `**` stands for names that begin with a dot too, in one folder. */
  readonly namedGlobs: readonly string[];
  /** A setting may make `*` stand for names that begin with a dot. */
  readonly seesDots: boolean;
}

/** How often functions that were never called are followed into those that they define. */
const MAX_ROUNDS = 3;

/** Reads a shell command. Pure, and never throws. */
export function readShell(command: string, ctx: { cwd: string; home: string }): ShellReading {
  const found = new Found();
  let problem: string | null = null;
  try {
    readAll(new ScriptWalker(found, ctx.home), command, stateOf(ctx.cwd));
  } catch (error) {
    // A fault of the reader must not let a command pass: what it threw is a reason to refuse.
    problem = error instanceof NotUnderstood ? error.message : `the reader failed: ${String(error)}`;
  }
  followLinks(found);
  settleConditions(found);
  if (found.opaque.size > 0) {
    for (const body of found.bodies) for (const word of mentionsIn(body)) found.words.add(word);
  }
  const seesDots = [...found.words].some((word) => /dot_?glob|glob_?dots/i.test(word));
  return {
    understood: problem === null,
    problems: problem === null ? [] : [problem],
    targets: [...found.targets.values()],
    unread: [...found.unread.values()],
    opaque: [...found.opaque],
    background: found.background,
    commands: [...found.commands],
    invocations: [...found.invocations.values()],
    words: [...found.words],
    named: [...found.named.paths],
    namedGlobs: [...found.named.globs].map((glob) => (seesDots ? withDots(glob) : glob)),
    seesDots,
  };
}

/** A glob of a shell whose `*` stands for names that begin with a dot as well. */
function withDots(glob: string): string {
  return glob.replace(/(?<=\/)[*?]+/g, '**');
}

function stateOf(cwd: string): State {
  return { cwds: [cwd], oldCwds: [null], stack: [], vars: new Map(), functions: new Map(), params: null };
}

/** The command itself, then what it left behind to be run: traps, and functions that nothing called. */
function readAll(walker: Walker, command: string, state: State): void {
  const { found } = walker;
  let flow: Flow | undefined;
  walker.isolated(() => {
    flow = walker.source(command, state);
  });
  const end = (flow === undefined ? null : afterwards(flow)) ?? state;
  for (const text of walker.traps) {
    const script = staticOf(text);
    if (script !== null) walker.isolated(() => walker.source(script, end));
  }
  // Reading one may define others; those of a text read anew each time are new each time.
  for (let round = 0; round < MAX_ROUNDS && walker.pending.size > 0; round++) {
    const nodes = [...walker.pending];
    walker.pending.clear();
    for (const [node, defined] of nodes) {
      walker.isolated(() => walker.read(node.body, { ...joinStates(defined, end)!, params: null }));
    }
  }
  for (const node of walker.pending.keys())
    found.opaque.add(`${node.name.value}: a function that is not read`);
}
