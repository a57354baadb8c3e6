import type { Call, Handler } from '../call.ts';
import { type OptionRules, type Options, parseOptions } from '../options.ts';
import { joinPath } from '../paths.ts';
import { baseOf, cutText, globbed, headOf, STAR, staticOf, type Text, textOf, UNKNOWN } from '../text.ts';
import { withoutEnding } from './copies.ts';
import { folderIn } from './wrappers.ts';

/** Where a git command works: the folder that its paths start from. */
interface Place {
  readonly call: Call;
  readonly cwd: string | null;
}

/** Subcommands that change at most `.git`. Committing runs the repository's own hooks, which are its users' choice. */
const QUIET = new Set(
  'status log show blame annotate branch tag remote fetch push rev-parse rev-list ls-files ls-tree ls-remote cat-file describe shortlog reflog add commit notes grep diff diff-tree diff-index diff-files merge-base for-each-ref show-ref symbolic-ref name-rev count-objects fsck gc prune repack pack-refs hash-object update-ref update-index write-tree commit-tree mktree check-ignore check-attr var version help whatchanged range-diff cherry stripspace verify-commit verify-tag maintenance stage request-pull column interpret-trailers'.split(
    ' ',
  ),
);

const PATHS: OptionRules = { short: 's', long: ['--source', '--pathspec-from-file', '--conflict'] };

type Subcommand = (place: Place, args: readonly Text[]) => void;

const SUBCOMMANDS = new Map<string, Subcommand>([
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
      if (parseOptions(args, {}).has('--hard', '--merge', '--keep')) opaque(place, 'reset');
    },
  ],
  [
    'stash',
    (place, args) => {
      if (!/^(list|show|drop|clear|create|store)$/.test(headOf(args[0] ?? []))) opaque(place, 'stash');
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
  ['config', (place, args) => config(place, args)],
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

export const GIT: Readonly<Record<string, Handler>> = { git: (call) => readGit(call) };

function readGit(call: Call): void {
  const { args } = call;
  let { cwd } = call;
  let at = 0;
  for (; at < args.length && headOf(args[at]!).startsWith('-'); at++) {
    const head = headOf(args[at]!);
    const name = head.replace(/=.*/s, '');
    const takesNext =
      /^(-C|-c|--git-dir|--work-tree|--namespace|--exec-path|--config-env|--attr-source)$/.test(head);
    const value = takesNext && head !== '--exec-path' ? args[++at] : cutText(args[at]!, '=')?.after;
    if ((name === '-C' || name === '--work-tree') && value !== undefined) cwd = folderIn(cwd, value);
    else if (name === '--git-dir' || name === '--exec-path' || name === '--config-env')
      call.opaque(`works with another ${name.slice(2)}`);
    else if (name === '-c' && value !== undefined && isTelling(value))
      call.opaque('takes a setting that runs programs');
  }
  const name = args[at] === undefined ? 'help' : staticOf(args[at]!);
  const place = { call, cwd };
  const rest = args.slice(at + 1);
  const subcommand = name === null ? undefined : SUBCOMMANDS.get(name);
  if (subcommand !== undefined) subcommand(place, rest);
  else if (name === null || !QUIET.has(name)) opaque(place, name ?? 'a subcommand that cannot be read');
  else outputs(place, rest, ['--output']);
}

/** Settings that make git run something: aliases, editors, hooks, filters, and all we do not know. */
function isTelling(setting: Text): boolean {
  const name = cutText(setting, '=')?.before ?? headOf(setting);
  return !/^(user|color|advice|init|commit\.gpgsign|tag\.gpgsign|safe|push|pull|log|status|core\.(quotepath|autocrlf|eol|abbrev|longpaths|precomposeunicode|filemode)|diff\.(renames|noprefix|mnemonicprefix)|http\.(sslverify|postbuffer|lowspeed\w+)|protocol\.\w+|fetch\.\w+|merge\.conflictstyle|rebase\.auto\w+)\b/i.test(
    name,
  );
}

function opaque(place: Place, what: string): void {
  place.call.opaque(`${what}: changes files that its words do not name`);
}

function touch(
  place: Place,
  path: Text,
  role: 'write' | 'delete' | 'move-from' | 'move-to',
  recursive = false,
): void {
  place.call.touch(path, role, { cwd: place.cwd, recursive });
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

function outputs(place: Place, args: readonly Text[], names: readonly string[]): void {
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
  opaque(place, 'checkout');
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

function config(place: Place, args: readonly Text[]): void {
  const options = parseOptions(args, {
    short: 'f',
    long: ['--file', '--blob', '--type', '--default', '--comment', '--value'],
  });
  const [first, ...rest] = options.operands.map(headOf);
  const isReading =
    options.has(
      '--get',
      '--get-all',
      '--get-regexp',
      '--list',
      '-l',
      '--get-urlmatch',
      '--get-color',
      '--get-colorbool',
    ) ||
    first === 'get' ||
    first === 'list';
  const isEditing =
    options.has(
      '--unset',
      '--unset-all',
      '--add',
      '--replace-all',
      '--edit',
      '-e',
      '--remove-section',
      '--rename-section',
    ) || /^(set|unset|edit|remove-section|rename-section)$/.test(first ?? '');
  if (isReading || (!isEditing && rest.length === 0)) return;
  const files = options.values('-f', '--file');
  for (const path of files) touch(place, path, 'write');
  if (files.length > 0) return;
  if (options.has('--system')) place.call.touch(textOf('/etc/gitconfig'), 'write');
  else if (options.has('--global')) {
    place.call.touch(textOf(place.call.home, '/.gitconfig'), 'write');
  } else if (place.cwd === null) touch(place, textOf('.git/config'), 'write');
  else place.call.touch(textOf(joinPath(place.cwd, '.git/config')), 'write');
}
