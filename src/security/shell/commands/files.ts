import type { Call, Handler } from '../call.ts';
import type { ShellRole } from '../found.ts';
import { type OptionRules, type Options, parseOptions } from '../options.ts';
import { temporaryName } from '../stdout.ts';
import { cutText, EMPTY, headOf, ONE, STAR, staticOf, type Text, textOf, UNKNOWN } from '../text.ts';

/** A command that does one thing to each of its operands. */
interface Plain {
  readonly role: ShellRole;
  readonly rules?: OptionRules;
  /** Operands that are no files and stand first: a mode, an owner. */
  readonly skip?: number;
  /** An option that takes the place of those. */
  readonly unless?: string;
  readonly recursive?: readonly string[];
}

const MODE: Plain = {
  role: 'write',
  rules: { long: ['--reference'] },
  skip: 1,
  unless: '--reference',
  recursive: ['-R', '--recursive'],
};

const PLAIN: Readonly<Record<string, Plain>> = {
  rm: { role: 'delete', recursive: ['-r', '-R', '--recursive', '-d', '--dir'] },
  unlink: { role: 'delete' },
  rimraf: { role: 'delete', recursive: ['rimraf'] },
  trash: { role: 'delete', recursive: ['trash'] },
  'trash-put': { role: 'delete', recursive: ['trash-put'] },
  touch: { role: 'write', rules: { short: 'drt', long: ['--date', '--reference', '--time'] } },
  mkdir: { role: 'write', rules: { short: 'm', attached: 'Z', long: ['--mode'] } },
  truncate: { role: 'write', rules: { short: 'sr', long: ['--size', '--reference'] } },
  tee: { role: 'write' },
  sponge: { role: 'write' },
  mkfifo: { role: 'write', rules: { short: 'm', attached: 'Z', long: ['--mode'] } },
  fallocate: { role: 'write', rules: { short: 'lo', long: ['--length', '--offset'] } },
  chown: MODE,
  chgrp: MODE,
  setfacl: {
    role: 'write',
    rules: {
      short: 'mxMX',
      long: ['--modify', '--remove', '--modify-file', '--remove-file', '--set', '--set-file', '--restore'],
    },
    recursive: ['-R', '--recursive'],
  },
  setfattr: { role: 'write', rules: { short: 'nvx', long: ['--name', '--value', '--remove', '--restore'] } },
  dos2unix: { role: 'write', rules: { short: 'c', long: ['--convmode'] } },
  unix2dos: { role: 'write', rules: { short: 'c', long: ['--convmode'] } },
  yq: { role: 'write', rules: { short: 'oIpf' }, skip: 1 },
};

/** Handlers of commands that create, change and delete single files. */
export const FILES: Readonly<Record<string, Handler>> = {
  ...Object.fromEntries(
    Object.entries(PLAIN).map(([name, plain]) => [name, (call: Call) => touchEach(call, plain)] as const),
  ),
  yq: (call) => {
    if (call.args.some((arg) => /^-\w*i|^--in/.test(headOf(arg)))) touchEach(call, PLAIN.yq!);
  },
  chattr: (call) => {
    const options = parseOptions(call.args, { short: 'vp' });
    const recursive = options.has('-R');
    for (const path of options.operands)
      if (!/^[+=]/.test(headOf(path))) call.touch(path, 'write', { recursive });
  },
  rmdir: (call) => {
    const options = parseOptions(call.args, {});
    for (const path of options.operands) {
      call.touch(path, 'delete');
      const whole = options.has('-p', '--parents') ? staticOf(path) : null;
      for (let at = whole?.lastIndexOf('/') ?? 0; at > 0; at = whole!.lastIndexOf('/', at - 1)) {
        call.touch(textOf(whole!.slice(0, at)), 'delete');
      }
    }
  },
  shred: (call) => {
    const options = parseOptions(call.args, {
      short: 'ns',
      attached: 'u',
      long: ['--iterations', '--size', '--random-source'],
    });
    const role = options.has('-u', '--remove') ? 'delete' : 'write';
    for (const path of options.operands) call.touch(path, role);
  },
  chmod: (call) => changeMode(call),
  mknod: (call) => {
    const { operands } = parseOptions(call.args, { short: 'm', attached: 'Z', long: ['--mode'] });
    for (const path of operands.slice(0, 1)) call.touch(path, 'write');
  },
  mktemp: (call) => {
    if (call.args.some((arg) => /^(-\w*u|--dry-run)/.test(headOf(arg)) && !/^-p/.test(headOf(arg)))) return;
    const made = temporaryName(call.args, {
      cwd: call.cwd,
      home: call.home,
      params: null,
      lookup: (name) => call.env.get(name) ?? valueIn(call, name),
      printed: () => null,
    });
    call.touch(made?.path ?? textOf(STAR), 'write');
  },
  dd: (call) => {
    for (const word of call.args) {
      const cut = cutText(word, '=');
      if (cut?.before === 'of') call.touch(cut.after, 'write');
    }
  },
  split: (call) =>
    pieces(call, {
      short: 'abClntn',
      long: [
        '--suffix-length',
        '--bytes',
        '--line-bytes',
        '--lines',
        '--number',
        '--separator',
        '--additional-suffix',
        '--filter',
      ],
    }),
  csplit: (call) => {
    const rules = { short: 'bfn', long: ['--prefix', '--suffix-format', '--digits'] };
    const [prefix = textOf('xx')] = parseOptions(call.args, rules).values('-f', '--prefix');
    call.touch(textOf(prefix, STAR), 'write');
  },
  sort: (call) => {
    const rules = {
      short: 'koStT',
      long: [
        '--key',
        '--output',
        '--buffer-size',
        '--field-separator',
        '--temporary-directory',
        '--compress-program',
        '--batch-size',
        '--parallel',
        '--files0-from',
        '--random-source',
        '--sort',
      ],
    };
    const options = parseOptions(call.args, rules);
    for (const path of options.values('-o', '--output')) call.touch(path, 'write');
    if (options.has('--compress-program')) call.opaque('runs a program of its own choice');
  },
  shuf: (call) => {
    const options = parseOptions(call.args, {
      short: 'inor',
      long: ['--input-range', '--head-count', '--output', '--random-source'],
    });
    for (const path of options.values('-o', '--output')) call.touch(path, 'write');
  },
  uniq: (call) => {
    const { operands } = parseOptions(call.args, {
      short: 'fsw',
      long: ['--skip-fields', '--skip-chars', '--check-chars'],
    });
    for (const path of operands.slice(1, 2)) call.touch(path, 'write');
  },
  openssl: (call) => {
    call.opaque('writes where its options say');
    const files = /^--?(?:out|keyout|writerand)$/;
    for (const [at, arg] of call.args.entries()) {
      const path = call.args[at + 1];
      if (files.test(headOf(arg)) && path !== undefined) call.touch(path, 'write');
    }
  },
  patch: (call) => {
    call.opaque('writes what the patch names');
    const options = parseOptions(call.args, {
      short: 'BdDFgiopprVxYzr',
      long: [
        '--prefix',
        '--directory',
        '--ifdef',
        '--fuzz',
        '--get',
        '--input',
        '--output',
        '--strip',
        '--reject-file',
        '--version-control',
        '--basename-prefix',
        '--suffix',
      ],
    });
    const outputs = options.values('-o', '--output', '-r', '--reject-file');
    for (const path of [...outputs, ...options.operands.slice(0, 1)]) call.touch(path, 'write');
  },
};

/** The one value of a variable; unknown when there are several. */
function valueIn(call: Call, name: string): Text | null {
  const values = call.state.vars.get(name)?.values ?? null;
  return values === null ? null : values.length === 1 ? values[0]! : UNKNOWN;
}

function touchEach(call: Call, plain: Plain): void {
  const options = parseOptions(call.args, plain.rules ?? {});
  const skip = plain.unless !== undefined && options.has(plain.unless) ? 0 : (plain.skip ?? 0);
  const recursive =
    plain.recursive !== undefined && (plain.recursive[0] === call.name || options.has(...plain.recursive));
  for (const path of options.operands.slice(skip)) call.touch(path, plain.role, { recursive });
}

/** A mode may look like an option (`chmod -x file`); then no operand is one. */
function changeMode(call: Call): void {
  const isMode = (arg: Text) => /^-[rwxXstugo0-7,+=-]+$/.test(headOf(arg)) && staticOf(arg) !== '--';
  const dashes = call.args.findIndex((arg) => staticOf(arg) === '--');
  const before = dashes < 0 ? call.args : call.args.slice(0, dashes);
  const options: Options = parseOptions(call.args, { long: ['--reference'] });
  const hasMode = before.some(isMode) || options.has('--reference');
  const recursive = options.has('-R', '--recursive');
  for (const path of options.operands.slice(hasMode ? 0 : 1)) call.touch(path, 'write', { recursive });
}

function pieces(call: Call, rules: OptionRules): void {
  const options = parseOptions(call.args, rules);
  if (options.has('--filter')) call.opaque('runs a program of its own choice');
  const prefix = options.operands[1] ?? textOf('x');
  const suffix = options.values('--additional-suffix')[0] ?? EMPTY;
  call.touch(textOf(prefix, ONE, STAR, suffix), 'write');
}
