import type { Call, Handler } from '../call.ts';
import { checkVariable } from '../environment.ts';
import { parseOptions } from '../options.ts';
import { changeFolder, isAboveOrSame } from '../paths.ts';
import { distinct, type Flow, flowOf, forget, joinStates, type State, setVariable } from '../state.ts';
import { printedByPrintf } from '../stdout.ts';
import { cutText, headOf, linesOf, staticOf, type Text, textOf, UNKNOWN } from '../text.ts';

/** Builtins that change the shell's folder, variables or flow. */
export const SHELL_STATE: Readonly<Record<string, Handler>> = {
  cd: (call) => changeTo(call, destinationOf(call)),
  chdir: (call) => changeTo(call, destinationOf(call)),
  pushd: (call) => {
    const flow = changeTo(call, destinationOf(call));
    return { ok: flow.ok && { ...flow.ok, stack: [[call.cwd], ...call.state.stack] }, fail: flow.fail };
  },
  popd: (call) => {
    const [top, ...stack] = call.state.stack;
    return { ok: { ...call.state, cwds: top ?? [null], stack, oldCwds: [call.cwd] }, fail: call.state };
  },
  dirs: () => undefined,
  exit: () => ({ ok: null, fail: null }),
  logout: () => ({ ok: null, fail: null }),
  return: (call) => leave(call, call.walker.returns.slice(-1)),
  break: (call) => leave(call, call.walker.breaks),
  continue: (call) => leave(call, call.walker.breaks),
  export: (call) => declare(call, true),
  readonly: (call) => declare(call, false),
  local: (call) => declare(call, false),
  declare: (call) => declare(call, false),
  typeset: (call) => declare(call, false),
  unset: (call) => unset(call),
  set: (call) => set(call),
  shift: (call) => flowOf({ ...call.state, params: shifted(call) }),
  read: (call) => readLine(call),
  mapfile: (call) => forgetNamed(call, { short: 'dnOsucC' }, ['MAPFILE']),
  readarray: (call) => forgetNamed(call, { short: 'dnOsucC' }, ['MAPFILE']),
  getopts: (call) => forgetNamed(call, {}, ['OPTARG', 'OPTIND']),
  let: (call) => flowOf(forget(call.state, namesIn(call.args))),
  printf: (call) => {
    const options = parseOptions(call.args, { short: 'v', stopAtOperand: true });
    const names = options.values('-v').map(headOf);
    const [name = ''] = names;
    const value =
      names.length === 1 && /^[A-Za-z_]\w*$/.test(name) ? printedByPrintf(options.operands) : null;
    return flowOf(value === null ? forget(call.state, names) : setVariable(call.state, name, [value]));
  },
  trap: (call) => {
    const [first] = parseOptions(call.args, { stopAtOperand: true }).operands;
    if (first === undefined || call.args.length < 2 || staticOf(first) === '-') return;
    call.walker.traps.add(first);
    call.inline(first);
  },
  alias: (call) => {
    if (call.args.length > 0) call.opaque('gives a command another meaning');
  },
  enable: (call) => call.opaque('changes which commands the shell knows'),
  hash: (call) => {
    if (call.args.some((arg) => headOf(arg).startsWith('-p'))) call.opaque('gives a command another program');
  },
  shopt: () => undefined,
  unalias: () => undefined,
  bind: (call) => call.opaque('binds keys to commands'),
  complete: () => undefined,
  disown: (call) => call.background(),
  bg: (call) => call.background(),
};

/** The folder that `cd` names: null when it cannot be known, `-` as it is. */
function destinationOf(call: Call): Text {
  const { operands } = parseOptions(call.args, { stopAtOperand: true });
  if (call.args.some((arg) => /^-\w*P/.test(headOf(arg)))) return UNKNOWN;
  return operands[0] ?? (call.name === 'pushd' ? UNKNOWN : call.home);
}

function changeTo(call: Call, destination: Text): Flow {
  const { state } = call;
  const path = staticOf(destination);
  const arrive = (cwds: State['cwds']): State => ({ ...state, cwds, oldCwds: [call.cwd] });
  if (path === '-') return { ok: arrive(state.oldCwds), fail: state };
  if (path === '') return flowOf(state);
  const isUnknown =
    path === null || /^[-+]\d/.test(path) || state.vars.has('CDPATH') || call.env.has('CDPATH');
  if (isUnknown || (call.cwd === null && !path.startsWith('/'))) return { ok: arrive([null]), fail: state };
  const target = changeFolder(call.cwd ?? '/', path);
  // The folder we are in, and those above it, exist: going there cannot fail.
  const isSure = call.cwd !== null && isAboveOrSame(target, call.cwd);
  return { ok: arrive([target]), fail: isSure ? null : state };
}

/** `return`, `break`: the state goes where the function or the loop ends. Outside of one they only complain. */
function leave(call: Call, frames: readonly (State[] | null)[]): Flow {
  for (const frame of frames) frame?.push(call.state);
  return frames.at(-1) == null ? flowOf(call.state) : { ok: null, fail: null };
}

function declare(call: Call, exports: boolean): Flow {
  let { state } = call;
  const flags = call.args.map((arg) => staticOf(arg) ?? '').filter((arg) => /^[-+]/.test(arg));
  const isOdd = flags.some((flag) => /[aAniulf]/.test(flag));
  // What a name reference holds is the name of another variable, which a later assignment sets.
  if (flags.some((flag) => /^-\w*n/.test(flag))) call.opaque('gives a variable another name');
  const exported = exports || flags.some((flag) => /^-\w*x/.test(flag));
  for (const arg of call.args) {
    const cut = cutText(arg, '=');
    const name = (cut?.before ?? headOf(arg)).replace(/\+$/, '');
    if (!/^[A-Za-z_]\w*$/.test(name)) continue;
    const before = state.vars.get(name)?.values ?? [UNKNOWN];
    const value = isOdd || cut?.before.endsWith('+') ? UNKNOWN : (cut?.after ?? null);
    if (value !== null) checkVariable(name, value, call.walker, call.state);
    // `local x` without a value hides the outer one.
    const kept = call.name === 'local' ? [textOf()] : before;
    state = setVariable(state, name, value === null ? kept : [value], exported);
  }
  return flowOf(state);
}

function unset(call: Call): Flow {
  const names = call.args.map(headOf);
  const functions = new Map(call.state.functions);
  for (const name of names) functions.delete(name);
  return flowOf(forget({ ...call.state, functions }, names));
}

function set(call: Call): Flow {
  const dashes = call.args.findIndex((arg) => staticOf(arg) === '--');
  if (dashes >= 0) return flowOf({ ...call.state, params: call.args.slice(dashes + 1) });
  const isOptions = call.args.every(
    (arg) => /^[-+][a-zA-Z]+$/.test(headOf(arg)) || /^[a-z]+$/.test(headOf(arg)),
  );
  return isOptions && /^[-+]/.test(headOf(call.args[0] ?? []))
    ? flowOf(call.state)
    : flowOf({ ...call.state, params: null });
}

function shifted(call: Call): State['params'] {
  const { params } = call.state;
  const count = call.args[0] === undefined ? '1' : staticOf(call.args[0]);
  return params === null || count === null || !/^\d+$/.test(count) ? null : params.slice(Number(count));
}

function forgetNamed(call: Call, rules: { short?: string }, more: readonly string[]): Flow {
  const names = [...call.args.map(headOf), ...namesIn(parseOptions(call.args, rules).operands), ...more];
  const state = forget(
    call.state,
    names.filter((name) => /^[A-Za-z_]\w*$/.test(name)),
  );
  // A name that cannot be read may be any of those we hold for certain.
  const isHidden = call.args.some((arg) => staticOf(arg) === null);
  return flowOf(isHidden ? joinStates(forget(state, state.vars.keys()), state)! : state);
}

/** `read NAME`: the variable holds any line of an input that is known; what else is asked of it makes it unknown. */
function readLine(call: Call): Flow {
  const rules = { short: 'adinNptu' };
  const unknown = forgetNamed(call, rules, ['REPLY']);
  const { given, operands } = parseOptions(call.args, rules);
  const name = operands.length === 1 ? staticOf(operands[0]!) : null;
  const input = call.walker.isStdinMoved ? null : call.stdin;
  const isPlain = given.every((option) => /^-[rsp]$/.test(option.name)) && !call.state.vars.has('IFS');
  const hasIfs = call.env.has('IFS') && staticOf(call.env.get('IFS')!) !== '';
  if (name === null || !/^[A-Za-z_]\w*$/.test(name) || input == null || !isPlain || hasIfs) return unknown;
  const lines = linesOf(input, /\n/);
  // A line that begins with an unknown part may be any line, and a backslash is taken off without `-r`.
  const isOpen = lines.some((line) => typeof line[0] !== 'string' || /\\/.test(JSON.stringify(line)));
  if (isOpen || lines.length === 0) return unknown;
  const values = lines.map((line) =>
    textOf(
      ...line.map((piece, at) => {
        if (typeof piece !== 'string') return piece;
        const begun = at === 0 ? piece.trimStart() : piece;
        return at === line.length - 1 ? begun.trimEnd() : begun;
      }),
    ),
  );
  return { ok: setVariable(call.state, name, distinct(values)), fail: unknown.fail };
}

function namesIn(args: readonly Text[]): readonly string[] {
  return args.flatMap((arg) =>
    arg.flatMap((piece) => (typeof piece === 'string' ? (piece.match(/[A-Za-z_]\w*/g) ?? []) : [])),
  );
}
