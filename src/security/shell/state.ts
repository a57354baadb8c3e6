import type { Function as FunctionNode } from 'unbash';
import { MAX_FOLDERS, MAX_VALUES, MAX_VARIABLES, MAX_WORLDS } from './limits.ts';
import { ANY, keyOf, type Text, textOf, UNKNOWN } from './text.ts';
import type { World } from './world.ts';

/** What a variable may hold. A variable that is not tracked came with the environment: nothing is known. */
export interface Variable {
  readonly values: readonly Text[];
  readonly exported: boolean;
}

/** What is known between two commands. Never changed in place: branches share it. */
export interface State {
  /** Every folder that the shell may be in; null for one that cannot be told. */
  readonly cwds: readonly (string | null)[];
  /** Where `cd -` leads. */
  readonly oldCwds: readonly (string | null)[];
  /** Folders kept by pushd, the latest first. */
  readonly stack: readonly (readonly (string | null)[])[];
  readonly vars: ReadonlyMap<string, Variable>;
  readonly functions: ReadonlyMap<string, readonly FunctionNode[]>;
  readonly params: readonly Text[] | null;
}

/** State after a command that succeeded and after one that failed; null when that cannot be. */
export interface Flow {
  readonly ok: State | null;
  readonly fail: State | null;
}

export function flowOf(state: State): Flow {
  return { ok: state, fail: state };
}

/** The state afterwards whatever the outcome. */
export function afterwards(flow: Flow): State | null {
  return joinStates(flow.ok, flow.fail);
}

export function joinFlows(one: Flow, other: Flow): Flow {
  return { ok: joinStates(one.ok, other.ok), fail: joinStates(one.fail, other.fail) };
}

/** What holds when either of two ways was taken. Returns the very same object when nothing differs. */
export function joinStates(one: State | null, other: State | null): State | null {
  if (one === null || other === null || one === other) return one ?? other;
  return {
    cwds: joinFolders(one.cwds, other.cwds),
    oldCwds: joinFolders(one.oldCwds, other.oldCwds),
    stack: one.stack === other.stack ? one.stack : joinStacks(one.stack, other.stack),
    vars: one.vars === other.vars ? one.vars : joinVariables(one.vars, other.vars),
    functions: one.functions === other.functions ? one.functions : joinFunctions(one, other),
    params: one.params === other.params ? one.params : null,
  };
}

function joinFolders(one: State['cwds'], other: State['cwds']): State['cwds'] {
  if (one === other) return one;
  const all = [...new Set([...one, ...other])];
  return all.length > MAX_FOLDERS ? [null] : all;
}

function joinStacks(one: State['stack'], other: State['stack']): State['stack'] {
  const length = Math.max(one.length, other.length);
  return Array.from({ length }, (_, at) => joinFolders(one[at] ?? [null], other[at] ?? [null]));
}

function joinVariables(one: State['vars'], other: State['vars']): State['vars'] {
  const joined = new Map<string, Variable>();
  for (const name of new Set([...one.keys(), ...other.keys()])) {
    const a = one.get(name);
    const b = other.get(name);
    if (a === b) joined.set(name, a!);
    else {
      const values = distinct([...(a?.values ?? [UNKNOWN]), ...(b?.values ?? [UNKNOWN])]);
      joined.set(name, { values, exported: a?.exported === true && b?.exported === true });
    }
  }
  return joined;
}

function joinFunctions(one: State, other: State): State['functions'] {
  const joined = new Map(one.functions);
  for (const [name, bodies] of other.functions) {
    joined.set(name, [...new Set([...(joined.get(name) ?? []), ...bodies])]);
  }
  return joined;
}

/** The values without repetition; a single unknown when they are too many. */
export function distinct(values: readonly Text[]): readonly Text[] {
  const found = new Map(values.map((value) => [keyOf(value), value]));
  return found.size > MAX_VALUES ? [UNKNOWN] : [...found.values()];
}

/** True when two states tell the same, which ends the reading of a loop. */
export function isSameState(one: State, other: State): boolean {
  if (one === other) return true;
  const same = (a: State['cwds'], b: State['cwds']) => a.length === b.length && a.every((x) => b.includes(x));
  if (!same(one.cwds, other.cwds) || !same(one.oldCwds, other.oldCwds)) return false;
  if (one.params !== other.params || one.stack.length !== other.stack.length) return false;
  if (one.functions.size !== other.functions.size || one.vars.size !== other.vars.size) return false;
  for (const [name, variable] of one.vars) {
    const values = other.vars.get(name)?.values;
    if (values === undefined || values.length !== variable.values.length) return false;
    const keys = new Set(values.map(keyOf));
    if (!variable.values.every((value) => keys.has(keyOf(value)))) return false;
  }
  return true;
}

/** What stays certain over any number of rounds of a loop that leads from `entry` to `end`. */
export function widen(entry: State, end: State): State {
  const vars = new Map(entry.vars);
  for (const [name, variable] of end.vars) {
    if (entry.vars.get(name) !== variable) vars.set(name, { values: [UNKNOWN], exported: variable.exported });
  }
  const same = entry.cwds.length === end.cwds.length && entry.cwds.every((cwd) => end.cwds.includes(cwd));
  const joined = joinStates(entry, end)!;
  return { ...joined, vars, ...(same ? {} : { cwds: [null], oldCwds: [null], stack: [] }) };
}

export function setVariable(state: State, name: string, values: readonly Text[], exported = false): State {
  const vars = new Map(state.vars);
  const before = vars.get(name);
  // Beyond the bound nothing new is tracked; what is tracked already must not go stale.
  if (before === undefined && vars.size >= MAX_VARIABLES) return state;
  const isInherited = before?.exported === true || name === 'HOME' || name === 'TMPDIR';
  vars.set(name, { values, exported: exported || isInherited });
  return { ...state, vars };
}

/** Forgets what the variables held; used where something unreadable may have set them. */
export function forget(state: State, names: Iterable<string>): State {
  let next = state;
  for (const name of names) next = setVariable(next, name, [UNKNOWN]);
  return next;
}

/** The state that a child process starts with: its environment is the exported variables. */
export function inherited(state: State, extra: ReadonlyMap<string, Text>, params: State['params']): State {
  const vars = new Map<string, Variable>();
  for (const [name, variable] of state.vars) if (variable.exported) vars.set(name, variable);
  for (const [name, value] of extra) vars.set(name, { values: [value], exported: true });
  return { ...state, vars, functions: new Map(), params, stack: [] };
}

/** Every combination of the folders and of the values of the named variables. */
export function worldsOf(
  state: State,
  names: ReadonlySet<string>,
  home: string,
  printed: (script: Parameters<World['printed']>[0], world: World) => Text | null,
): readonly World[] {
  let choices: ReadonlyMap<string, Text>[] = [new Map()];
  for (const name of names) {
    const values = state.vars.get(name)?.values ?? [];
    if (values.length < 2) continue;
    const isTooMany = choices.length * values.length * state.cwds.length > MAX_WORLDS;
    const options = isTooMany ? [UNKNOWN] : values;
    choices = choices.flatMap((choice) => options.map((value) => new Map(choice).set(name, value)));
  }
  return state.cwds.flatMap((cwd) =>
    choices.map((choice) => {
      const lookup = (name: string): Text | null => {
        const variable = state.vars.get(name);
        if (variable === undefined) return null;
        return choice.get(name) ?? (variable.values.length === 1 ? variable.values[0]! : [ANY]);
      };
      const world: World = {
        cwd,
        home: lookup('HOME') ?? textOf(home),
        params: state.params,
        lookup,
        printed: (script) => printed(script, world),
      };
      return world;
    }),
  );
}
