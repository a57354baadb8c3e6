import type { Call, Handler } from '../call.ts';
import { parseOptions } from '../options.ts';
import {
  FOUND,
  globbed,
  headOf,
  linesOf,
  STAR,
  staticOf,
  type Text,
  textOf,
  UNKNOWN,
  withoutTrailingSlash,
} from '../text.ts';
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

/** Where `find` looks, what its tests say of the names, and where in its words the tests begin. */
function findPlaces(words: readonly Text[]): {
  roots: readonly Text[];
  found: readonly Text[];
  from: number;
} {
  let at = 0;
  while (at < words.length && /^-[HLPDO]/.test(headOf(words[at]!)))
    at += staticOf(words[at]!) === '-D' ? 2 : 1;
  const roots: Text[] = [];
  while (at < words.length && !/^[-(!,]/.test(headOf(words[at]!))) roots.push(words[at++]!);
  if (roots.length === 0) roots.push(textOf('.'));
  const names = namesTested(words.slice(at));
  return { roots, found: roots.flatMap((root) => below(root, names)), from: at };
}

const FIND_ACTIONS = /^-(?:delete|exec|ok|print|fprint|ls|fls|quit)/;

/** The one name that `-name` asks for; null where its tests leave open which names they let through. */
function namesTested(tests: readonly Text[]): Text | null {
  const words = tests.map((word) => staticOf(word));
  const end = words.findIndex((word) => word === null || FIND_ACTIONS.test(word));
  const before = end < 0 ? words : words.slice(0, end);
  const at = before.indexOf('-name');
  const name = at < 0 ? null : (before[at + 1] ?? null);
  const isOpen = words.some((word) => word === null || /^(?:-o|-or|,|\(|\\\()$/.test(word));
  if (name === null || isOpen || /^(?:!|-not)$/.test(before[at - 1] ?? '')) return null;
  return name.includes('\\') ? null : globbed(name);
}

/** What may be found below a root: any path, or any that ends in the name asked for, and the root itself. */
function below(root: Text, name: Text | null): readonly Text[] {
  const isHere = /^\.?\/?$/.test(staticOf(root) ?? '');
  const start = textOf(withoutTrailingSlash(root), '/');
  if (name !== null) return [textOf(start, FOUND, '/', name)];
  return [textOf(start, FOUND), ...(isHere ? [] : [root])];
}

/** What `find` prints as far as its words tell: a line for each place that it may name. */
export function printedByFind(args: readonly Text[]): Text | null {
  const { found, from } = findPlaces(args);
  if (args.slice(from).some((word) => /^-(?:printf|fprint|fls|ls|exec|ok)/.test(headOf(word)))) return null;
  return textOf(...found.flatMap((path) => [path, '\n']));
}

function readFind(call: Call): void {
  const words = call.args;
  const { roots, found, from } = findPlaces(words);
  for (let at = from; at < words.length; at++) {
    const word = staticOf(words[at]!);
    if (word === null) continue;
    if (word === '-delete') for (const path of found) call.touch(path, 'delete', { recursive: true });
    else if (FIND_FILES.has(word) && words[at + 1] !== undefined) call.touch(words[++at]!, 'write');
    else if (FIND_RUNS.has(word)) {
      const end = words.findIndex((later, index) => index > at && isEnd(words, index, staticOf(later)));
      const argv = words.slice(at + 1, end < 0 ? words.length : end);
      runFor(call, argv, found);
      // The other words of `-execdir` are seen from folders below the roots.
      if (word.endsWith('dir'))
        for (const _ of roots)
          call.run(
            argv.map((one) => substituted(one, textOf('./', STAR))),
            { cwd: null },
          );
      at = end < 0 ? words.length : end;
    }
  }
}

function isEnd(words: readonly Text[], at: number, word: string | null): boolean {
  return word === ';' || (word === '+' && staticOf(words[at - 1]!) === '{}');
}

/** The command of `-exec` with `{}` standing for anything that may be found. */
function runFor(call: Call, argv: readonly Text[], found: readonly Text[]): void {
  for (const path of found) call.run(argv.map((word) => substituted(word, path)));
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
  const items = options.has('-a', '--arg-file') ? null : itemsOf(call, mark !== null);
  const runs = staticOf(command);
  const isKnown = items?.every((item) => staticOf(item) !== null);
  if (!isKnown && (runs === null || !isReadOnly(runs))) call.opaque('gets arguments that cannot be read');
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

/** The words that xargs reads, when its input is text without quoting of which places are known. */
function itemsOf(call: Call, byLine: boolean): readonly Text[] | null {
  if (call.stdin == null || call.stdin.some((piece) => typeof piece === 'string' && /['"\\]/.test(piece)))
    return null;
  // `-0` splits at NUL, where `find -print0` puts it; the lines of its reading stand for these.
  const items = linesOf(call.stdin, byLine ? /\n/ : /\s+/);
  return items.some((item) => headOf(item) === '' && item.length > 0) ? null : items;
}

/** `parallel CMD ::: A B ::: C`: every item may come in every place. */
function readParallel(call: Call): void {
  call.opaque('builds commands from its arguments');
  const { operands } = parseOptions(call.args, {
    short: 'jaIdNnLsP',
    long: ['--jobs', '--arg-file', '--delay', '--timeout', '--results', '--joblog'],
    stopAtOperand: true,
  });
  const end = operands.findIndex((word) => /^:::/.test(staticOf(word) ?? ''));
  const argv = end < 0 ? operands : operands.slice(0, end);
  const isListed = end >= 0 && operands.every((word) => !/^::::/.test(staticOf(word) ?? ''));
  const piped = end >= 0 || call.stdin == null ? null : linesOf(call.stdin, /\n/);
  const items = isListed ? operands.slice(end).filter((word) => !/^:::/.test(staticOf(word) ?? '')) : piped;
  for (const item of items ?? [UNKNOWN]) {
    if (argv.length === 0) {
      call.script(item);
      continue;
    }
    const words = argv.map((word) => substituted(word, item));
    const hasMark = argv.some((word) =>
      word.some((piece) => typeof piece === 'string' && piece.includes('{')),
    );
    call.script(spaced([...words, ...(hasMark ? [] : [item])]));
  }
}
