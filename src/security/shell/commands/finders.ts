import type { Call, Handler } from '../call.ts';
import { parseOptions } from '../options.ts';
import { ANY, headOf, STAR, staticOf, type Text, textOf, UNKNOWN } from '../text.ts';
import { isReadOnly } from './readers.ts';
import { spaced } from './wrappers.ts';

/** Commands that run another one for many files. */
export const FINDERS: Readonly<Record<string, Handler>> = {
  find: (call) => readFind(call),
  fd: (call) => readFd(call),
  fdfind: (call) => readFd(call),
  xargs: (call) => readXargs(call),
  parallel: (call) => readParallel(call),
};

const FIND_FILES = new Set(['-fprint', '-fprint0', '-fls', '-fprintf']);
const FIND_RUNS = new Set(['-exec', '-execdir', '-ok', '-okdir']);

function readFind(call: Call): void {
  const words = call.args;
  let at = 0;
  while (at < words.length && /^-[HLPDO]/.test(headOf(words[at]!)))
    at += staticOf(words[at]!) === '-D' ? 2 : 1;
  const roots: Text[] = [];
  while (at < words.length && !/^[-(!,]/.test(headOf(words[at]!))) roots.push(words[at++]!);
  if (roots.length === 0) roots.push(textOf('.'));
  for (; at < words.length; at++) {
    const word = staticOf(words[at]!);
    if (word === null) continue;
    if (word === '-delete') for (const root of roots) deleteBelow(call, root);
    else if (FIND_FILES.has(word) && words[at + 1] !== undefined) call.touch(words[++at]!, 'write');
    else if (FIND_RUNS.has(word)) {
      const end = words.findIndex((later, index) => index > at && isEnd(words, index, staticOf(later)));
      const argv = words.slice(at + 1, end < 0 ? words.length : end);
      for (const root of roots) runFor(call, argv, root, word.endsWith('dir'));
      at = end < 0 ? words.length : end;
    }
  }
}

/** `find ROOT … -delete`: the tests before it may spare anything, so only the whole tree can be named. */
function deleteBelow(call: Call, root: Text): void {
  // The shell's own folder is never deleted itself, what is in it may be.
  const isHere = /^\.?\/?$/.test(staticOf(root) ?? '');
  call.touch(isHere ? textOf('./', ANY) : root, 'delete', { recursive: true });
}

function isEnd(words: readonly Text[], at: number, word: string | null): boolean {
  return word === ';' || (word === '+' && staticOf(words[at - 1]!) === '{}');
}

/** The command of `-exec` with `{}` standing for anything at or below the root. */
function runFor(call: Call, argv: readonly Text[], root: Text, isInFolder: boolean): void {
  const isHere = /^\.?\/?$/.test(staticOf(root) ?? '');
  const below = isInFolder ? [textOf('./', STAR)] : [textOf(root, '/', ANY), ...(isHere ? [] : [root])];
  for (const path of below) {
    const words = argv.map((word) => substituted(word, path));
    call.run(words, isInFolder ? { cwd: null } : {});
  }
}

/** A word with every `{}`, or another mark, replaced. */
function substituted(word: Text, value: Text, mark = '{}'): Text {
  return textOf(
    ...word.flatMap((piece) =>
      typeof piece === 'string'
        ? piece.split(mark).flatMap((bit, at): (string | Text)[] => (at === 0 ? [bit] : [value, bit]))
        : [textOf(piece)],
    ),
  );
}

function readFd(call: Call): void {
  const at = call.args.findIndex((arg) => /^(-x|-X|--exec|--exec-batch)$/.test(staticOf(arg) ?? ''));
  const joined = call.args.some((arg) => /^--exec(-batch)?=|^-[xX]./.test(headOf(arg)));
  if (joined) call.opaque('runs a command for what it finds');
  if (at < 0) return;
  const argv = call.args.slice(at + 1).map((word) => substituted(word, UNKNOWN));
  const names = argv.some((word) => staticOf(word) === null) ? argv : [...argv, UNKNOWN];
  call.run(names);
}

const XARGS = {
  short: 'adEILnPs',
  attached: 'eil',
  long: ['--arg-file', '--delimiter', '--max-args', '--max-procs', '--max-chars', '--process-slot-var'],
  stopAtOperand: true,
};

function readXargs(call: Call): void {
  const options = parseOptions(call.args, XARGS);
  const [command = textOf('echo'), ...fixed] = options.operands;
  const marks = [...options.values('-I', '-i', '--replace')].map((mark) => headOf(mark) || '{}');
  const mark = marks[0] ?? (options.has('-i', '--replace') ? '{}' : null);
  const items = options.has('-a', '--arg-file')
    ? null
    : itemsOf(call, options.has('-0', '--null'), mark !== null);
  const runs = staticOf(command);
  if (items === null && (runs === null || !isReadOnly(runs)))
    call.opaque('gets arguments that cannot be read');
  const inputs = items ?? [UNKNOWN];
  if (mark === null) {
    call.run([command, ...fixed, ...inputs], { stdin: textOf() });
    return;
  }
  for (const item of inputs) {
    call.run(
      [command, ...fixed].map((word) => substituted(word, item, mark)),
      { stdin: textOf() },
    );
  }
}

/** The words that xargs reads, when its input is known text without quoting. */
function itemsOf(call: Call, byNull: boolean, byLine: boolean): readonly Text[] | null {
  const text = call.stdin == null ? null : staticOf(call.stdin);
  if (text === null || byNull || /['"\\]/.test(text)) return null;
  const items = text.split(byLine ? /\n/ : /\s+/).map((item) => item.trim());
  return items.filter((item) => item !== '').map((item) => textOf(item));
}

function readParallel(call: Call): void {
  call.opaque('builds commands from its arguments');
  const { operands } = parseOptions(call.args, {
    short: 'jaIdNnLsP',
    long: ['--jobs', '--arg-file', '--delay', '--timeout', '--results', '--joblog'],
    stopAtOperand: true,
  });
  const end = operands.findIndex((word) => /^:::/.test(staticOf(word) ?? ''));
  const argv = end < 0 ? operands : operands.slice(0, end);
  if (argv.length > 0) call.script(spaced([...argv.map((word) => substituted(word, UNKNOWN)), UNKNOWN]));
}
