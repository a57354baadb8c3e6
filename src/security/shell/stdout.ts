import type { Command } from 'unbash';
import { printedByFind } from './commands/finders.ts';
import { escapes } from './escapes.ts';
import { stdinOf } from './redirects.ts';
import {
  baseOf,
  dropHead,
  EMPTY,
  headOf,
  NEW,
  staticOf,
  type Text,
  textOf,
  withoutTrailingSlash,
} from './text.ts';
import type { Walker } from './walker.ts';
import { fieldsOf } from './words.ts';
import type { World } from './world.ts';

/** What is printed by the few commands whose output scripts build paths and scripts from; null otherwise. */
export function printedBy(walker: Walker, node: Command, world: World): Text | null {
  if (node.name === undefined || node.redirects.some((redirect) => redirect.type === 'Redirect')) return null;
  if (node.prefix.some((part) => part.type === 'Assignment')) return null;
  const words = node.suffix.filter((part) => part.type === 'Word');
  const argv = [node.name, ...words].flatMap((word) => fieldsOf(word, world, walker.parseWord));
  const name = argv[0] === undefined ? null : staticOf(argv[0]);
  const stdin = stdinOf(node.redirects, world) ?? walker.stdin;
  return name === null ? null : (PRINTERS.get(name)?.(argv.slice(1), stdin, world) ?? null);
}

type Printer = (args: readonly Text[], stdin: Text | null | undefined, world: World) => Text | null;

const PRINTERS = new Map<string, Printer>([
  ['echo', (args) => printedByEcho(args)],
  ['printf', (args) => printedByPrintf(args)],
  ['cat', (args, stdin) => (args.every((arg) => staticOf(arg) === '-') ? (stdin ?? null) : null)],
  ['pwd', (_args, _stdin, world) => (world.cwd === null ? null : textOf(world.cwd))],
  ['mktemp', (args, _stdin, world) => temporaryName(args, world)?.path ?? null],
  ['find', (args) => printedByFind(args)],
  // What lets lines through names no more than came in.
  ...['grep', 'egrep', 'fgrep', 'rg', 'sort', 'uniq', 'head', 'tail'].map((name): [string, Printer] => [
    name,
    (args, stdin) => (stdin != null && !isWhole(stdin) && isFilter(args) ? stdin : null),
  ]),
  ['basename', (args) => (args.length === 1 && isPlain(args) ? baseOf(args[0]!) : null)],
  ['dirname', (args) => (args.length === 1 && isPlain(args) ? folderOf(args[0]!) : null)],
]);

function isPlain(args: readonly Text[]): boolean {
  return args.every((arg) => !headOf(arg).startsWith('-'));
}

function isWhole(text: Text): boolean {
  return staticOf(text) !== null;
}

/** Options and one pattern: with a second operand a program reads a file and not its input. */
function isFilter(args: readonly Text[]): boolean {
  return args.filter((arg) => !headOf(arg).startsWith('-')).length <= 1;
}

function printedByEcho(args: readonly Text[]): Text | null {
  const flags = args.findIndex((arg) => !/^-[neE]+$/.test(staticOf(arg) ?? ''));
  const options = args.slice(0, flags < 0 ? args.length : flags).map((arg) => headOf(arg));
  const words = args.slice(options.length);
  const text = textOf(...words.flatMap((word, at) => (at === 0 ? [word] : [' ', word])));
  const end = options.some((option) => option.includes('n')) ? '' : '\n';
  if (options.some((option) => option.includes('e'))) {
    return textOf(
      text.map((piece) => (typeof piece === 'string' ? escapes(piece) : piece)),
      end,
    );
  }
  // A shell other than bash may expand backslashes here.
  return text.some((piece) => typeof piece === 'string' && piece.includes('\\')) ? null : textOf(text, end);
}

/** Formats of plain text and `%s`, which repeat until the arguments are used up. */
export function printedByPrintf(args: readonly Text[]): Text | null {
  const format = args[0] === undefined ? null : staticOf(args[0]);
  if (format === null || format.startsWith('-')) return null;
  const bits = format.split('%s').map((bit) => bit.split('%%'));
  if (bits.some((bit) => bit.some((piece) => piece.includes('%')))) return null;
  const literals = bits.map((bit) => escapes(bit.join('%')));
  const values = args.slice(1);
  const pieces: (Text | string)[] = [];
  for (let round = 0; round === 0 || (literals.length > 1 && values.length > 0); round++) {
    literals.forEach((literal, at) => {
      if (at > 0) pieces.push(values.shift() ?? EMPTY);
      pieces.push(literal);
    });
  }
  return textOf(...pieces);
}

function folderOf(path: Text): Text | null {
  const whole = staticOf(withoutTrailingSlash(path));
  if (whole === null) return null;
  if (!whole.includes('/')) return textOf('.');
  return textOf(whole.replace(/\/+[^/]*$/, '') || '/');
}

/** The name that `mktemp` makes: its template with the row of X unknown. */
export function temporaryName(args: readonly Text[], world: World): { path: Text; isFolder: boolean } | null {
  let folder: Text | null = null;
  let template: Text | null = null;
  let isFolder = false;
  let suffix: Text = EMPTY;
  let inTemp = false;
  for (let at = 0; at < args.length; at++) {
    const head = headOf(args[at]!);
    if (head === '-p') folder = args[++at] ?? null;
    else if (head.startsWith('-p')) folder = dropHead(args[at]!, 2);
    else if (head.startsWith('--tmpdir=')) folder = dropHead(args[at]!, 9);
    else if (head.startsWith('--suffix=')) suffix = dropHead(args[at]!, 9);
    else if (head === '--tmpdir' || /^-[dqu]*t/.test(head)) inTemp = true;
    else if (!head.startsWith('-')) template = args[at]!;
    if (/^-[qut]*d|^--directory/.test(head)) isFolder = true;
  }
  const temp = world.lookup('TMPDIR') ?? textOf('/tmp');
  const parent = folder ?? (template === null || inTemp ? temp : EMPTY);
  const name = staticOf(template ?? textOf('tmp.XXXXXXXXXX'));
  if (name === null) return null;
  const at = name.lastIndexOf('XXX');
  const start = name.slice(0, at + 3).replace(/X+$/, '');
  const path = at < 0 ? textOf(name, NEW) : textOf(start, NEW, name.slice(at + 3), suffix);
  return { path: parent.length === 0 ? path : textOf(parent, '/', path), isFolder };
}
