import type { Call, Handler } from '../call.ts';
import { detaches } from '../environment.ts';
import { escapes } from '../escapes.ts';
import { nameIn } from '../named.ts';
import { type Options, parseOptions } from '../options.ts';
import { headOf, staticOf, type Text, textOf } from '../text.ts';
import { readSedScript } from './sed-script.ts';

const SED = {
  short: 'efl',
  attached: 'i',
  long: ['--expression', '--file', '--line-length'],
};

/** Commands that edit files in place by a script. */
export const EDITORS: Readonly<Record<string, Handler>> = {
  sed: (call) => readSed(call),
  gsed: (call) => readSed(call),
  awk: (call) => readAwk(call),
  gawk: (call) => readAwk(call),
  mawk: (call) => readAwk(call),
  nawk: (call) => readAwk(call),
  perl: (call) => {
    if (isQuestion(call)) return;
    call.opaque('runs code');
    const options = parseOptions(call.args, { short: 'eEIMm', attached: 'iFxCDV' });
    if (!options.has('-i')) return;
    const files = options.has('-e', '-E') ? options.operands : options.operands.slice(1);
    backedUp(call, files, options.values('-i'));
  },
  ruby: (call) => {
    if (isQuestion(call)) return;
    call.opaque('runs code');
    const options = parseOptions(call.args, { short: 'eIrCE', attached: 'iFxKTW' });
    if (options.has('-i'))
      backedUp(call, options.has('-e') ? options.operands : options.operands.slice(1), options.values('-i'));
  },
  ...Object.fromEntries(
    ['ed', 'ex', 'vi', 'vim', 'nvim', 'view', 'emacs', 'nano', 'pico', 'micro', 'code'].map(
      (name) =>
        [
          name,
          (call: Call) => {
            call.opaque('edits by commands of its own');
            const { operands } = parseOptions(call.args, { short: 'cSuiTUwW', long: ['--cmd', '--eval'] });
            for (const path of operands) if (!headOf(path).startsWith('+')) call.touch(path, 'write');
          },
        ] as const,
    ),
  ),
};

/** True for a call that only asks for the version or for help. */
export function isQuestion(call: Call): boolean {
  return call.args.length === 1 && /^(--?version|--help|-[vVh])$/.test(staticOf(call.args[0]!) ?? '');
}

/** Files edited in place, and the copies kept of them. */
function backedUp(call: Call, files: readonly Text[], suffixes: readonly Text[]): void {
  for (const path of files) {
    call.touch(path, 'write');
    for (const suffix of suffixes) {
      if (suffix.length === 0) continue;
      const isTemplate = /[*/]/.test(headOf(suffix)) || staticOf(suffix) === null;
      if (isTemplate) call.opaque('keeps copies under names of its own making');
      else call.touch(textOf(path, suffix), 'write');
    }
  }
}

function readSed(call: Call): void {
  const options = parseOptions(call.args, SED);
  const hasScript = options.has('-e', '-f', '--expression', '--file');
  const operands = [...options.operands];
  const suffixes = [...options.values('-i', '--in-place')];
  // The BSD spelling gives the suffix as a word of its own, often an empty one.
  if (options.has('-i') && staticOf(operands[0] ?? []) === '' && operands.length > 1) operands.shift();
  const scripts = hasScript ? options.values('-e', '--expression') : operands.splice(0, 1);
  if (options.has('-f', '--file')) call.opaque('runs a script file');
  readScripts(call, scripts, options);
  if (options.has('-i', '--in-place')) backedUp(call, operands, suffixes);
}

function readScripts(call: Call, scripts: readonly Text[], options: Options): void {
  if (options.has('--sandbox')) return;
  const texts = scripts.map(staticOf);
  const known = texts.filter((text) => text !== null);
  const effects = readSedScript(known.join('\n'));
  for (const file of effects.files) call.touch(textOf(file), 'write');
  for (const file of effects.reads) nameIn(call.walker.found.named, textOf(file), call.cwd);
  for (const command of effects.commands) call.guess(command);
  if (effects.isOpaque) call.opaque('its script runs commands, or is not understood');
  // `s/a/$X/`: what comes out of X could end the command and begin another.
  if (texts.includes(null)) call.opaque('its script cannot be read');
}

function readAwk(call: Call): void {
  if (isQuestion(call)) return;
  const options = parseOptions(call.args, {
    short: 'vFfieElW',
    attached: 'dpoD',
    long: ['--assign', '--field-separator', '--file', '--include', '--source', '--exec', '--load'],
    stopAtOperand: true,
  });
  if (options.has('-f', '-E', '-l', '--file', '--exec', '--load')) call.opaque('runs a program file');
  const includes = options.values('-i', '--include').map(staticOf);
  const isInplace = includes.includes('inplace');
  if (includes.some((name) => name !== 'inplace')) call.opaque('includes a program file');
  const hasSource = options.has('-e', '-f', '-E', '--source', '--file', '--exec');
  const operands = [...options.operands];
  const programs = [...options.values('-e', '--source'), ...(hasSource ? [] : operands.splice(0, 1))];
  for (const file of options.values('-o', '-p', '-d', '--dump-variables', '--pretty-print', '--profile')) {
    if (file.length > 0) call.touch(file, 'write');
  }
  for (const program of programs) readAwkProgram(call, program);
  if (isInplace) for (const path of operands) if (!/^\w+=/.test(headOf(path))) call.touch(path, 'write');
}

function readAwkProgram(call: Call, program: Text): void {
  const text = staticOf(program);
  if (text === null) {
    call.opaque('its program cannot be read');
    return;
  }
  if (text.length > 8192) {
    call.opaque('its program is too long to be judged');
    return;
  }
  // A regular expression only where no division can stand; what is taken for code by mistake is only more.
  const code = text.replace(/(^|[({,;~!&|\n])(\s*)\/(?:\\.|[^/\n\\"[])*\//g, '$1$2//');
  for (const [, name] of code.matchAll(/print[^;\n}]*?>>?\s*"((?:[^"\\])*)"\s*(?=[;\n}]|$)/g))
    call.touch(textOf(name!), 'write');
  const runs = /\bsystem\s*\(|(?<!\|)\|(?!\|)|@load|@include/.test(code.replace(/"(?:[^"\\]|\\.)*"/g, '""'));
  const writes = /\bprintf?\b[^;\n}]*>/.test(code.replace(/"(?:[^"\\]|\\.)*"/g, '""'));
  if (runs || writes) call.opaque('its program runs commands or writes files');
  if (runs) readAwkCommands(call, code);
}

/** What an awk program hands to a shell: `system("…")`, `"…" | getline`, `print | "…"`. */
function readAwkCommands(call: Call, code: string): void {
  const commands = code.matchAll(/(?:\bsystem\s*\(\s*|\|&?\s*)"((?:[^"\\]|\\.)*)"|"((?:[^"\\]|\\.)*)"\s*\|/g);
  for (const [, after, before] of commands) call.guess(escapes(after ?? before ?? ''));
  // A command put together from pieces has its `&` in one of them.
  const texts = [...code.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, text]) => text!);
  if (texts.some(detaches)) call.background();
}
