import type { Function as FunctionNode } from 'unbash';
import type { Call, RunOptions } from './call.ts';
import { HANDLERS } from './commands/index.ts';
import { readOpaque } from './commands/opaque.ts';
import { isReadOnly } from './commands/readers.ts';
import { NotUnderstood } from './found.ts';
import { noteLink } from './links.ts';
import { nameArguments } from './named.ts';
import { type Flow, flowOf, inherited, joinFlows, joinStates, type State } from './state.ts';
import { readSubscripts } from './subscripts.ts';
import { headOf, patternOf, staticOf, type Text, textOf } from './text.ts';
import type { Walker } from './walker.ts';

/** Circumstances of one command line with all words valued. */
export interface Circumstances extends RunOptions {
  readonly cwd: string | null;
  readonly home: Text;
}

/** Folders whose programs are taken for the commands of their names. */
const SYSTEM_FOLDERS = /^(\/usr)?(\/local)?\/s?bin\/[^/]+$|^\/opt\/homebrew\/bin\/[^/]+$/;

/** Reads a command line: records it, finds who handles it, and lets that one say what it touches. */
export function runCommand(walker: Walker, argv: readonly Text[], state: State, at: Circumstances): Flow {
  return walker.found.deeper(() => {
    const { found } = walker;
    const [first, ...args] = argv;
    if (first === undefined) return flowOf(state);
    found.step();
    for (const arg of argv) found.mention(arg);
    const statics = argv.map(staticOf);
    const invocation = { argv: statics, cwd: state.cwds.length === 1 ? at.cwd : null };
    found.invocations.set(JSON.stringify(invocation), invocation);
    nameArguments(found.named, argv, at.cwd);
    const path = statics[0] ?? null;
    if (path === null) {
      found.opaque.add(`${patternOf(first)}: the command's name cannot be read`);
      return flowOf(state);
    }
    const name = path.replace(/\/+$/, '').replace(/^.*\//, '');
    found.commands.add(name);
    found.ran.push(name);
    readSubscripts(walker, name, args, state);
    const bodies = at.isExternal ? [] : (state.functions.get(path) ?? []);
    if (bodies.length > 0) {
      let flow: Flow = { ok: null, fail: null };
      for (const body of bodies) flow = joinFlows(flow, callFunction(walker, body, args, state, at));
      if (!HANDLERS.has(path) && !isReadOnly(path)) return flow;
      // A function may hide a command of this name, or the command run where the function is not defined.
      found.opaque.add(`${path}: a function has the name of a command`);
      return joinFlows(flow, handle(walker, name, args, state, at) ?? flowOf(state));
    }
    if (path.includes('/') && !SYSTEM_FOLDERS.test(path)) {
      found.opaque.add(`${path}: runs a program by its path`);
      if (!HANDLERS.has(name)) return flowOf(state);
    }
    return handle(walker, name, args, state, at) ?? flowOf(state);
  });
}

function handle(
  walker: Walker,
  name: string,
  args: readonly Text[],
  state: State,
  at: Circumstances,
): Flow | undefined {
  const handler = HANDLERS.get(name);
  if (handler !== undefined) return handler(callOf(walker, name, args, state, at)) ?? undefined;
  if (!isReadOnly(name)) readOpaque(callOf(walker, name, args, state, at), 'its effect is not known');
  return undefined;
}

function callFunction(
  walker: Walker,
  body: FunctionNode,
  args: readonly Text[],
  state: State,
  at: Circumstances,
): Flow {
  walker.pending.delete(body);
  if (walker.active.has(body)) {
    walker.found.opaque.add(`${body.name.value}: a function that calls itself`);
    return flowOf(state);
  }
  walker.active.add(body);
  const returns: State[] = [];
  walker.returns.push(returns);
  walker.breaks.push(null);
  const here = state.cwds.length > 1 ? { ...state, cwds: [at.cwd] } : state;
  const flow = walker.read(body.body, { ...here, params: args });
  walker.returns.pop();
  walker.breaks.pop();
  walker.active.delete(body);
  const leave = (end: State | null): State | null => {
    const joined = returns.reduce<State | null>(joinStates, end);
    if (joined === null) return null;
    return { ...joined, params: state.params };
  };
  return { ok: leave(flow.ok), fail: leave(flow.fail) };
}

function callOf(walker: Walker, name: string, args: readonly Text[], state: State, at: Circumstances): Call {
  const { found } = walker;
  const child = (options: RunOptions): State => {
    const env = new Map([...(at.env ?? []), ...(options.env ?? [])]);
    const cwd = options.cwd === undefined ? at.cwd : options.cwd;
    const params = options.params === undefined ? null : options.params;
    return { ...inherited(state, env, params), cwds: [cwd] };
  };
  return {
    name,
    args,
    cwd: at.cwd,
    home: at.home,
    state,
    stdin: walker.stdin,
    env: at.env ?? new Map(),
    walker,
    touch: (path, role, more = {}) => {
      const { cwd = at.cwd, ...rest } = more;
      found.mention(path);
      found.touch(path, cwd, { ...rest, role, by: name });
    },
    link: (path, source, isSymbolic) => noteLink(found, at.cwd, path, source, isSymbolic),
    opaque: (what) => {
      found.opaque.add(`${name}: ${what}`);
    },
    background: () => {
      found.background = true;
    },
    run: (argv, options = {}) => {
      const cwd = options.cwd === undefined ? at.cwd : options.cwd;
      const env = new Map([...(at.env ?? []), ...(options.env ?? [])]);
      const isExternal = options.isExternal ?? true;
      const inner = { cwd, env, home: at.home, isExternal };
      walker.withStdin(options.stdin, () =>
        walker.isolated(() => runCommand(walker, argv, { ...state, cwds: [cwd] }, inner)),
      );
    },
    runHere: (argv) => {
      const inner = { cwd: at.cwd, env: at.env ?? new Map(), home: at.home, isExternal: true };
      return runCommand(walker, argv, state, inner);
    },
    script: (text, options = {}) => {
      walker.withStdin(options.stdin, () =>
        walker.isolated(() => readScript(walker, text, child(options), name)),
      );
    },
    guess: (text) => walker.isolated(() => readGuess(walker, text, child({}))),
    inline: (text) => readScript(walker, text, { ...state, cwds: [at.cwd] }, name),
  };
}

/** Reads script text; what cannot be known in it is read as if it stood in a variable, and reported. */
function readScript(walker: Walker, text: Text, state: State, name: string): Flow {
  const whole = staticOf(text);
  if (whole !== null) return walker.source(whole, state);
  walker.found.opaque.add(`${name}: runs text that cannot be read`);
  const guess = text.map((piece) => (typeof piece === 'string' ? piece : `\${_unread}`)).join('');
  if (headOf(text) === '' && text.length === 1) return flowOf(state);
  return readGuess(walker, staticOf(textOf(guess))!, state);
}

/** Reads text that may be no shell text although the real one is. It must be opaque already. */
export function readGuess(walker: Walker, text: string, state: State): Flow {
  try {
    return walker.source(text, state);
  } catch (error) {
    if (error instanceof NotUnderstood && error.message.startsWith('syntax')) return flowOf(state);
    throw error;
  }
}
