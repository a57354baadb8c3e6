import type { ArithmeticFor, Case, CompoundList, For, If, Select, While } from 'unbash';
import { nameIn } from './named.ts';
import { referencesOf } from './references.ts';
import {
  afterwards,
  distinct,
  type Flow,
  flowOf,
  isSameState,
  joinFlows,
  joinStates,
  type State,
  setVariable,
  widen,
} from './state.ts';
import { UNKNOWN } from './text.ts';
import type { Walker } from './walker.ts';
import { fieldsOf } from './words.ts';

/** Each branch begins with what its condition leaves; those after it begin with its failure. */
export function readIf(walker: Walker, node: If, state: State): Flow {
  const clause = walker.read(node.clause, state);
  const branches = [{ entry: clause.ok, body: node.then as CompoundList | undefined }];
  let rest = clause.fail;
  for (const branch of node.elif) {
    const next = walker.read(branch.clause, rest ?? state);
    branches.push({ entry: rest === null ? null : next.ok, body: branch.then });
    rest = rest === null ? null : next.fail;
  }
  branches.push({ entry: rest, body: node.else });
  let flow: Flow = { ok: null, fail: null };
  for (const { entry, body } of branches) {
    const after = body === undefined ? flowOf(entry ?? state) : walker.read(body, entry ?? state);
    if (entry !== null) flow = joinFlows(flow, after);
  }
  return flow;
}

/** The body begins where the condition held, what follows where it did not. */
export function readWhile(walker: Walker, node: While, state: State): Flow {
  return readLoop(walker, state, (entry) => {
    const clause = walker.read(node.clause, entry);
    const [goesOn, ends] = node.kind === 'while' ? [clause.ok, clause.fail] : [clause.fail, clause.ok];
    const body = afterwards(walker.read(node.body, goesOn ?? entry));
    return joinStates(goesOn === null ? null : body, ends);
  });
}

/** The body is read with the variable holding each of the words. */
export function readFor(walker: Walker, node: For | Select, state: State): Flow {
  const words = node.wordlist ?? [];
  const entry = walker.expansions(words, state);
  const worlds = walker.worlds(referencesOf(words).read, entry);
  const values = worlds.flatMap((world) => words.flatMap((word) => fieldsOf(word, world, walker.parseWord)));
  const given = node.wordlist === undefined ? (entry.params ?? [UNKNOWN]) : values;
  const cwd = entry.cwds.length === 1 ? (entry.cwds[0] ?? null) : null;
  for (const value of given) {
    walker.found.mention(value);
    nameIn(walker.found.named, value, cwd);
  }
  const bound = setVariable(entry, node.name.value, given.length === 0 ? [UNKNOWN] : distinct(given));
  return readLoop(walker, bound, (start) => afterwards(walker.read(node.body, start)));
}

/** `for ((…))`: a loop whose counters are unknown. */
export function readArithmeticFor(walker: Walker, node: ArithmeticFor, state: State): Flow {
  const parts = [node.initialize, node.test, node.update].filter((part) => part !== undefined);
  const entry = walker.expansions(parts, state);
  return readLoop(walker, entry, (start) => afterwards(walker.read(node.body, start)));
}

/** Reads a loop's body once, and again with everything unknown that a round may change for the next. */
function readLoop(walker: Walker, entry: State, round: (entry: State) => State | null): Flow {
  const breaks: State[] = [];
  walker.breaks.push(breaks);
  try {
    const ends = (start: State) => [round(start), ...breaks].reduce(joinStates, start)!;
    const first = ends(entry);
    if (isSameState(entry, first)) return flowOf(entry);
    const second = ends(widen(entry, first));
    return flowOf(joinStates(entry, second)!);
  } finally {
    walker.breaks.pop();
  }
}

/** Any one branch may be taken, or none. */
export function readCase(walker: Walker, node: Case, state: State): Flow {
  const entry = walker.expansions([node.word, ...node.items.flatMap((item) => item.pattern)], state);
  let flow = flowOf(entry);
  let fallen: State | null = null;
  for (const item of node.items) {
    const after = walker.read(item.body, joinStates(entry, fallen)!);
    fallen = item.terminator === ';;' || item.terminator === undefined ? null : afterwards(after);
    flow = joinFlows(flow, after);
  }
  return flow;
}
