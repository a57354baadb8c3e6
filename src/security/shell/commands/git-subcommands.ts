import { type OptionRules, type Options, parseOptions } from '../options.ts';
import { ANY, baseOf, EMPTY, globbed, headOf, STAR, staticOf, type Text, textOf, UNKNOWN } from '../text.ts';
import { withoutEnding } from './copies.ts';
import { readConfig } from './git-config.ts';
import { type Place, touch } from './git-place.ts';

const PATHS: OptionRules = { short: 's', long: ['--source', '--pathspec-from-file', '--conflict'] };

type Subcommand = (place: Place, args: readonly Text[]) => void;

/** Subcommands that write to the work tree or to files named on the command line. */
export const SUBCOMMANDS = new Map<string, Subcommand>([
  ['checkout', (place, args) => checkout(place, args)],
  [
    'restore',
    (place, args) => {
      const options = parseOptions(args, PATHS);
      if (options.has('--staged', '-S') && !options.has('--worktree', '-W')) return;
      touchPaths(place, options, 'write');
    },
  ],
  [
    'rm',
    (place, args) => {
      const options = parseOptions(args, PATHS);
      if (!options.has('--cached', '-n', '--dry-run')) touchPaths(place, options, 'delete');
    },
  ],
  ['mv', (place, args) => move(place, args)],
  [
    'clean',
    (place, args) => {
      const options = parseOptions(args, { short: 'e', long: ['--exclude'] });
      if (options.has('-n', '--dry-run')) return;
      const paths = options.operands.length === 0 ? [textOf('.')] : options.operands;
      for (const path of paths) touchSpec(place, path, 'delete');
    },
  ],
  [
    'reset',
    (place, args) => {
      const options = parseOptions(args, {});
      if (options.has('--hard')) everything(place);
      else if (options.has('--merge', '--keep')) opaque(place, 'reset');
    },
  ],
  [
    'stash',
    (place, args) => {
      const action = headOf(args[0] ?? []);
      if (/^(list|show|drop|clear|create|store)$/.test(action)) return;
      if (/^(pop|apply|branch)$/.test(action)) return opaque(place, 'stash');
      const options = parseOptions(action === 'push' ? args.slice(1) : [], { ...PATHS, short: 'm' });
      if (options.operands.length === 0) everything(place);
      touchPaths(place, options, 'write');
    },
  ],
  ['worktree', (place, args) => worktree(place, args)],
  [
    'submodule',
    (place, args) => {
      if (!/^(status|summary)?$/.test(headOf(args[0] ?? []))) opaque(place, 'submodule');
    },
  ],
  [
    'init',
    (place, args) => {
      const rules = {
        short: 'b',
        long: ['--template', '--separate-git-dir', '--object-format', '--initial-branch'],
      };
      const options = parseOptions(args, rules);
      const [folder] = options.operands;
      const made = folder === undefined ? textOf('.git') : textOf(folder, '/.git');
      for (const path of [made, ...options.values('--separate-git-dir')]) touch(place, path, 'write', true);
    },
  ],
  ['clone', (place, args) => clone(place, args)],
  ['config', (place, args) => readConfig(place, args)],
  [
    'apply',
    (place, args) => {
      const options = parseOptions(args, {
        short: 'pC',
        long: ['--directory', '--exclude', '--include', '--whitespace'],
      });
      if (!options.has('--check', '--stat', '--numstat', '--summary', '--cached') || options.has('--apply'))
        opaque(place, 'apply');
    },
  ],
  ['checkout-index', (place, args) => checkoutIndex(place, args)],
  ['archive', (place, args) => outputs(place, args, ['-o', '--output'])],
  [
    'bundle',
    (place, args) => {
      if (headOf(args[0] ?? []) === 'create')
        for (const path of parseOptions(args.slice(1), {}).operands.slice(0, 1)) touch(place, path, 'write');
    },
  ],
  [
    'format-patch',
    (place, args) => {
      const options = parseOptions(args, {
        short: 'o',
        long: ['--output-directory', '--output', '--base', '--suffix'],
      });
      if (options.has('--stdout')) return;
      const [folder = textOf('.')] = options.values('-o', '--output-directory');
      touch(place, textOf(folder, '/', STAR), 'write');
      for (const path of options.values('--output')) touch(place, path, 'write');
    },
  ],
]);

/** Says that a subcommand changes files of its own choice. */
export function opaque(place: Place, what: string): void {
  place.call.opaque(`${what}: changes files that its words do not name`);
}

/**
 * What throws away every change that is not committed. Other commands that move the whole work tree (`merge`, a
 * branch's `checkout`) stop at such changes, and PactClaw's own logs always have some.
 */
function everything(place: Place): void {
  touch(place, textOf('.'), 'write');
}

/** A pathspec: git globs it itself, and `:` begins its magic. */
function touchSpec(place: Place, spec: Text, role: 'write' | 'delete'): void {
  const whole = staticOf(spec);
  if (whole === null) touch(place, spec, role, true);
  else if (whole.startsWith(':')) touch(place, UNKNOWN, role, true);
  else touch(place, globbed(whole), role, true);
}

function touchPaths(place: Place, options: Options, role: 'write' | 'delete'): void {
  if (options.has('--pathspec-from-file')) opaque(place, 'a list of paths');
  for (const spec of options.operands) touchSpec(place, spec, role);
}

/** Touches the files given to some options. */
export function outputs(place: Place, args: readonly Text[], names: readonly string[]): void {
  const rules = {
    short: names.includes('-o') ? 'o' : '',
    long: names.filter((name) => name.startsWith('--')),
  };
  for (const path of parseOptions(args, rules).values(...names)) touch(place, path, 'write');
}

/** `checkout [TREE] -- PATHS` names files; without `--` a word may be a branch as well as a file. */
function checkout(place: Place, args: readonly Text[]): void {
  const dashes = args.findIndex((arg) => staticOf(arg) === '--');
  if (dashes >= 0 && dashes < args.length - 1) {
    for (const spec of args.slice(dashes + 1)) touchSpec(place, spec, 'write');
    return;
  }
  // A new branch at the present commit leaves the files alone.
  const options = parseOptions(args, { short: 'bB', long: ['--orphan'] });
  const isNew = options.has('-b', '-B') && options.operands.length === 0 && !options.has('-f', '--force');
  if (options.has('-f', '--force')) everything(place);
  if (options.operands.some((operand) => staticOf(operand) === '.')) everything(place);
  if (!isNew) opaque(place, 'checkout');
}

/** `checkout-index --prefix=/x/ -a`: the prefix is put before the names, a slash of its own or not. */
function checkoutIndex(place: Place, args: readonly Text[]): void {
  const options = parseOptions(args, { long: ['--prefix', '--stage'] });
  const [prefix = EMPTY] = options.values('--prefix');
  for (const path of options.operands) touch(place, textOf(prefix, path), 'write');
  if (options.has('-a', '--all', '--stdin')) touch(place, textOf(prefix, ANY), 'write', true);
}

function move(place: Place, args: readonly Text[]): void {
  const { operands } = parseOptions(args, {});
  const destination = operands.at(-1);
  const sources = operands.slice(0, -1);
  if (destination === undefined) return;
  touch(place, destination, 'move-to', true);
  for (const source of sources) {
    touch(place, source, 'move-from', true);
    const inside = textOf(destination, '/', baseOf(source));
    place.call.touch(inside, 'move-to', {
      cwd: place.cwd,
      recursive: true,
      onlyIf: { path: destination, isFolder: true },
    });
  }
}

function worktree(place: Place, args: readonly Text[]): void {
  const action = headOf(args[0] ?? []);
  const { operands } = parseOptions(args.slice(1), { short: 'bB', long: ['--reason', '--expire'] });
  const [first, second] = operands;
  if (action === 'add' && first !== undefined) touch(place, first, 'write', true);
  else if (action === 'remove' && first !== undefined) touch(place, first, 'delete', true);
  else if (action === 'move' && first !== undefined && second !== undefined) {
    touch(place, first, 'move-from', true);
    touch(place, second, 'move-to', true);
  } else if (!/^(list|prune|lock|unlock|repair)?$/.test(action)) opaque(place, 'worktree');
}

function clone(place: Place, args: readonly Text[]): void {
  const options = parseOptions(args, {
    short: 'bcjoSu',
    long: [
      '--branch',
      '--config',
      '--jobs',
      '--origin',
      '--depth',
      '--template',
      '--reference',
      '--reference-if-able',
      '--separate-git-dir',
      '--upload-pack',
      '--filter',
      '--server-option',
      '--shallow-since',
      '--shallow-exclude',
      '--bundle-uri',
      '--revision',
    ],
  });
  if (options.has('-c', '--config', '--template', '-u', '--upload-pack'))
    place.call.opaque('takes a setting that runs programs');
  const [source, folder] = options.operands;
  if (source === undefined) return;
  const name = baseOf(
    textOf((staticOf(source) ?? '').replace(/^.*:(?!\/\/)/s, '').replace(/\/\.git\/*$/, '')),
  );
  const made =
    folder ?? (staticOf(source) === null ? UNKNOWN : (withoutEnding(name, ['.git', '.bundle']) ?? name));
  touch(place, made, 'write', true);
  if (options.has('--bare', '--mirror') && folder === undefined)
    touch(place, textOf(made, '.git'), 'write', true);
  for (const path of options.values('--separate-git-dir')) touch(place, path, 'write', true);
}
