import type { Call, Handler } from '../call.ts';
import { flowOf, forget } from '../state.ts';
import { headOf, staticOf, type Text, textOf } from '../text.ts';

/** Shells, and the builtins that run text in the present one. */
export const SHELLS: Readonly<Record<string, Handler>> = {
  ...Object.fromEntries(
    ['sh', 'bash', 'dash', 'ash', 'zsh', 'ksh', 'mksh', 'rbash', 'bash5'].map(
      (name) => [name, shell] as const,
    ),
  ),
  eval: (call) => {
    const words =
      call.args[0] !== undefined && staticOf(call.args[0]) === '--' ? call.args.slice(1) : call.args;
    if (words.length === 0) return flowOf(call.state);
    return call.inline(textOf(...words.flatMap((word, at) => (at === 0 ? [word] : [' ', word]))));
  },
  source: (call) => sourced(call),
  '.': (call) => sourced(call),
};

function sourced(call: Call): ReturnType<Handler> {
  const file = staticOf(call.args[0] ?? []);
  const isInput = file !== null && /^\/dev\/(?:stdin|fd\/0)$/.test(file) && call.args.length === 1;
  if (isInput && call.stdin != null && !call.walker.isStdinMoved) return call.inline(call.stdin);
  call.opaque('runs a file in this shell');
  // The file may set every variable, and go elsewhere: what its words would say of the present folder is a guess.
  return flowOf(forget(call.state, call.state.vars.keys()));
}

/** `bash [options] [-c TEXT [NAME ARG…] | FILE [ARG…]]`; otherwise the script comes on standard input. */
function shell(call: Call): void {
  let at = 0;
  let runsText = false;
  let readsStdin = false;
  for (; at < call.args.length; at++) {
    const arg = call.args[at]!;
    const word = staticOf(arg) ?? headOf(arg);
    if (word === '--' || word === '-') {
      at += 1;
      break;
    }
    if (!/^[-+]./.test(word)) break;
    if (/^--(rcfile|init-file)$/.test(word)) {
      call.opaque('runs a file of its own choice first');
      at += 1;
    } else if (word.startsWith('--')) {
      if (word === '--version' || word === '--help') return;
    } else {
      if (word.startsWith('-') && word.includes('c')) runsText = true;
      if (word.startsWith('-') && word.includes('s')) readsStdin = true;
      if (/[oO]$/.test(word)) at += 1;
    }
  }
  const [first, ...rest] = call.args.slice(at);
  if (runsText) {
    if (first !== undefined) call.script(first, { params: rest.slice(1) });
  } else if (first !== undefined && !readsStdin) {
    call.opaque('runs a script file');
  } else if (call.stdin === undefined || call.stdin === null) {
    call.opaque('runs what it reads from its input');
  } else {
    call.script(call.stdin as Text, { params: [...(first === undefined ? [] : [first]), ...rest] });
  }
}
