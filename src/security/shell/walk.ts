import {
  type AndOr,
  type CompoundList,
  type Coproc,
  type Function as FunctionNode,
  type ParsedScript,
  type PipelineNode,
  parse,
  type Redirected,
  type Statement,
  type SyntaxNode,
  type Word,
} from 'unbash';
import { readArithmeticFor, readCase, readFor, readIf, readWhile } from './compounds.ts';
import { readExpansions } from './expansions.ts';
import { type Found, NotUnderstood } from './found.ts';
import { parseShell, problemOf } from './parse.ts';
import { readPipeline } from './pipelines.ts';
import { readRedirects, stdinOf } from './redirects.ts';
import { referencesOf } from './references.ts';
import { readSimple } from './simple.ts';
import { afterwards, type Flow, flowOf, forget, joinStates, type State, worldsOf } from './state.ts';
import { printedBy } from './stdout.ts';
import type { Text } from './text.ts';
import type { Walker } from './walker.ts';
import type { World } from './world.ts';

type Node = PipelineNode | AndOr | CompoundList | Statement;

/** Walks a script the way a shell runs it, keeping what is known of folder, variables and functions. */
export class ScriptWalker implements Walker {
  readonly found: Found;
  readonly home: string;
  /** What the command being read gets on standard input; see `Call.stdin`. */
  stdin: Text | null | undefined;
  /** `exec <FILE` was read: from then on nobody can say what standard input is. */
  isStdinMoved = false;
  /** States at `return`, one list for each function being read; null where a subshell begins. */
  readonly returns: (State[] | null)[] = [];
  /** States at `break` and `continue`, one list for each loop being read; null where a subshell begins. */
  readonly breaks: (State[] | null)[] = [];
  /** Functions defined and not yet called, and trap texts: read once more when everything else is done. */
  readonly pending = new Map<FunctionNode, State>();
  /** Functions being read, which ends the reading of those that call themselves. */
  readonly active = new Set<FunctionNode>();
  readonly traps = new Set<Text>();
  /** One tree for one text, so that a function defined by `eval` in a loop is the same function each time. */
  readonly #scripts = new Map<string, ParsedScript>();
  readonly #words = new Map<string, Word | null>();

  constructor(found: Found, home: string) {
    this.found = found;
    this.home = home;
  }

  /** Reads script text in the given state. Throws NotUnderstood when it is no shell text. */
  source(text: string, state: State): Flow {
    const script = this.#scripts.get(text) ?? this.#parse(text);
    this.#scripts.set(text, script);
    return this.found.deeper(() => this.list(script.commands, state));
  }

  #parse(text: string): ParsedScript {
    this.found.spend(text.length);
    const parsed = parseShell(text);
    if ('problem' in parsed) throw new NotUnderstood(parsed.problem);
    return parsed.script;
  }

  /** Reads a script in a subshell: what it does to folder and variables ends with it. */
  subscript(script: ParsedScript, state: State): void {
    const problem = problemOf(script);
    if (problem !== null) throw new NotUnderstood(problem);
    this.found.deeper(() => this.isolated(() => this.list(script.commands, state)));
  }

  /** Runs `work` so that its `return` and `break` reach nothing outside. */
  isolated(work: () => unknown): void {
    this.returns.push(null);
    this.breaks.push(null);
    try {
      work();
    } finally {
      this.returns.pop();
      this.breaks.pop();
    }
  }

  /** Runs `work` with another standard input. */
  withStdin<T>(stdin: Text | null | undefined, work: () => T): T {
    const before = this.stdin;
    if (stdin !== undefined) this.stdin = stdin;
    try {
      return work();
    } finally {
      this.stdin = before;
    }
  }

  list(commands: readonly Statement[], state: State): Flow {
    let flow = flowOf(state);
    let live = state;
    let isDead = false;
    for (const statement of commands) {
      flow = this.read(statement, live);
      const next = afterwards(flow);
      // What follows `exit` is read all the same: too much is safe, too little is not.
      if (next === null) isDead = true;
      else live = next;
    }
    return isDead ? { ok: null, fail: null } : flow;
  }

  read(node: Node, state: State): Flow {
    return this.found.deeper(() => this.#read(node, state));
  }

  #read(node: Node, state: State): Flow {
    switch (node.type) {
      case 'Statement':
        return this.#statement(node, state);
      case 'Command':
        return readSimple(this, node, state);
      case 'AndOr':
        return this.#andOr(node, state);
      case 'Pipeline':
        return readPipeline(this, node, state);
      case 'CompoundList':
        return this.list(node.commands, state);
      case 'BraceGroup':
        return this.list(node.body.commands, state);
      case 'Subshell':
        this.isolated(() => this.list(node.body.commands, state));
        return flowOf(state);
      case 'Redirected':
        return this.#redirected(node, state);
      case 'If':
        return readIf(this, node, state);
      case 'While':
        return readWhile(this, node, state);
      case 'For':
      case 'Select':
        return readFor(this, node, state);
      case 'ArithmeticFor':
        return readArithmeticFor(this, node, state);
      case 'Case':
        return readCase(this, node, state);
      case 'Function':
        return this.#function(node, state);
      case 'Coproc':
        return this.#coproc(node, state);
      case 'TestCommand':
      case 'ArithmeticCommand':
        return flowOf(this.expansions([node], state));
    }
  }

  #statement(node: Statement, state: State): Flow {
    if (!node.background) return this.read(node.command, state);
    this.found.background = true;
    this.isolated(() => this.read(node.command, state));
    return flowOf(state);
  }

  #andOr(node: AndOr, state: State): Flow {
    let flow = this.read(node.commands[0]!, state);
    for (const [at, operator] of node.operators.entries()) {
      const next = node.commands[at + 1]!;
      const entry = operator === '&&' ? flow.ok : flow.fail;
      const read = this.read(next, entry ?? state);
      const after = entry === null ? { ok: null, fail: null } : read;
      flow =
        operator === '&&'
          ? { ok: after.ok, fail: joinStates(flow.fail, after.fail) }
          : { ok: joinStates(flow.ok, after.ok), fail: after.fail };
    }
    return flow;
  }

  #redirected(node: Redirected, state: State): Flow {
    const next = this.expansions(node.redirects, state, readsItsInput(node.command) ? 'while' : null);
    let stdin: Text | null | undefined;
    for (const world of this.worlds(referencesOf(node.redirects).read, next)) {
      readRedirects(node.redirects, world, this.found, this.parseWord);
      stdin = stdinOf(node.redirects, world);
    }
    return this.withStdin(stdin, () => this.read(node.command, next));
  }

  #function(node: FunctionNode, state: State): Flow {
    const name = node.name.value;
    this.pending.set(node, state);
    const functions = new Map(state.functions).set(name, [node]);
    return flowOf({ ...state, functions });
  }

  #coproc(node: Coproc, state: State): Flow {
    this.found.background = true;
    this.withStdin(null, () => this.isolated(() => this.read(node.body, state)));
    return flowOf(state);
  }

  /** Reads the scripts inside words and tests; returns the state with everything forgotten that they set. */
  expansions(nodes: readonly SyntaxNode[], state: State, reader: string | null = null): State {
    for (const node of nodes) readExpansions(this, node, state, reader);
    return forget(state, referencesOf(nodes).set);
  }

  worlds(names: ReadonlySet<string>, state: State): readonly World[] {
    return worldsOf(state, names, this.home, (script, world) => this.#printed(script, world));
  }

  #printed(script: ParsedScript, world: World): Text | null {
    const [statement, ...more] = script.commands;
    if (more.length > 0 || statement?.command.type !== 'Command') return null;
    const command = statement.command;
    return this.found.deeper(() => printedBy(this, command, world));
  }

  /** Parses one word that brace expansion spelled. Kept, because loops ask for the same words again. */
  readonly parseWord = (raw: string): Word | null => {
    const known = this.#words.get(raw);
    if (known !== undefined) return known;
    this.found.spend(raw.length + 2);
    const script = parse(`: ${raw}`);
    const command = script.commands[0]?.command;
    const isOne = script.commands.length === 1 && command?.type === 'Command' && command.suffix.length === 1;
    const word = isOne && problemOf(script) === null ? command.suffix[0]! : null;
    const result = word?.type === 'Word' ? word : null;
    this.#words.set(raw, result);
    return result;
  };
}

/** True for `while read …`, which reads its input line by line to the end. */
function readsItsInput(node: Redirected['command']): boolean {
  const first = node.type === 'While' ? node.clause.commands[0]?.command : undefined;
  return first?.type === 'Command' && first.name?.value === 'read';
}
