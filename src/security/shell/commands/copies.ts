import type { Call, Handler } from '../call.ts';
import type { ShellRole } from '../found.ts';
import { type OptionRules, type Options, parseOptions } from '../options.ts';
import { isSink } from '../paths.ts';
import {
  ANY,
  baseOf,
  cutText,
  endsInSlash,
  headOf,
  isOpen,
  staticOf,
  type Text,
  textOf,
  withoutTrailingSlash,
} from '../text.ts';

const RULES: OptionRules = { short: 'St', long: ['--suffix', '--target-directory'] };
const INSTALL: OptionRules = {
  short: 'gmoSt',
  long: ['--group', '--mode', '--owner', '--suffix', '--target-directory', '--strip-program'],
};
const RSYNC: OptionRules = {
  short: 'efTBM@',
  long: '--rsh --rsync-path --filter --exclude --include --exclude-from --include-from --files-from --bwlimit --timeout --contimeout --port --log-file --log-file-format --backup-dir --partial-dir --temp-dir --compare-dest --copy-dest --link-dest --suffix --chmod --chown --usermap --groupmap --password-file --out-format --max-size --min-size --max-delete --info --debug --block-size --remote-option --modify-window --compress-level --compress-choice --checksum-choice --skip-compress --address --sockopts --protocol --iconv --write-batch --only-write-batch --read-batch --early-input --stop-after --stop-at --max-alloc'.split(
    ' ',
  ),
};

/** Commands that copy, move and link: sources first, destination last or in `-t`. */
export const COPIES: Readonly<Record<string, Handler>> = {
  cp: (call) => {
    const options = parseOptions(call.args, RULES);
    transfer(call, options, {
      role: 'write',
      recursive: options.has('-r', '-R', '-a', '--recursive', '--archive'),
    });
    if (options.has('-s', '-l', '--symbolic-link', '--link'))
      linkAll(call, options, options.has('-s', '--symbolic-link'));
    const copiesPaths = options.has('--parents');
    if (copiesPaths)
      call.touch(textOf(destinationOf(options) ?? [ANY], '/', ANY), 'write', { recursive: true });
  },
  mv: (call) => {
    const options = parseOptions(call.args, RULES);
    transfer(call, options, { role: 'move-to', recursive: true });
    for (const source of sourcesOf(options)) call.touch(source, 'move-from', { recursive: true });
    if (options.has('--exchange'))
      for (const path of options.operands) call.touch(path, 'move-to', { recursive: true });
  },
  ln: (call) => {
    const options = parseOptions(call.args, RULES);
    if (options.operands.length === 1 && destinationOf(options) === null) {
      const [source] = options.operands;
      call.touch(baseOf(source!), 'write');
      call.link(baseOf(source!), source!, options.has('-s', '--symbolic'));
      return;
    }
    transfer(call, options, { role: 'write', recursive: false });
    linkAll(call, options, options.has('-s', '--symbolic'));
  },
  link: (call) => {
    const [source, path] = parseOptions(call.args, {}).operands;
    if (source === undefined || path === undefined) return;
    call.touch(path, 'write');
    call.link(path, source, false);
  },
  install: (call) => {
    const options = parseOptions(call.args, INSTALL);
    if (options.has('-d', '--directory')) for (const path of options.operands) call.touch(path, 'write');
    else transfer(call, options, { role: 'write', recursive: false });
    if (options.has('--strip-program')) call.opaque('runs a program of its own choice');
  },
  rsync: (call) => {
    const options = parseOptions(call.args, RSYNC);
    if (options.has('-n', '--dry-run', '--list-only')) return;
    const target = options.operands.length > 1 ? options.operands.at(-1)! : null;
    if (target !== null && !isRemote(target)) call.touch(target, 'write', { recursive: true });
    for (const path of options.values(
      '--log-file',
      '--backup-dir',
      '--partial-dir',
      '--temp-dir',
      '-T',
      '--write-batch',
      '--only-write-batch',
    )) {
      call.touch(path, 'write', { recursive: true });
    }
    if (options.has('--remove-source-files')) {
      for (const source of options.operands.slice(0, -1)) call.touch(source, 'delete', { recursive: true });
    }
    if (options.has('-e', '--rsh', '--rsync-path')) call.opaque('runs a program of its own choice');
  },
  scp: (call) => {
    const options = parseOptions(call.args, { short: 'cDFiJloPSX' });
    const target = options.operands.at(-1);
    if (target === undefined || isRemote(target)) return;
    const operands = options.operands.map((path) => (isRemote(path) ? cutText(path, ':')!.after : path));
    transfer(call, { ...options, operands }, { role: 'write', recursive: options.has('-r') });
  },
  rename: (call) => call.opaque('renames files by a rule'),
  mmv: (call) => call.opaque('renames files by a rule'),
};

/** Every link may come to lie at the destination or in it. */
function linkAll(call: Call, options: Options, isSymbolic: boolean): void {
  const destination = destinationOf(options);
  if (destination === null) return;
  for (const source of sourcesOf(options)) {
    call.link(destination, source, isSymbolic);
    call.link(textOf(withoutTrailingSlash(destination), '/', baseOf(source)), source, isSymbolic);
  }
}

/** `a/.` and `..`: what is copied then is what the folder holds. */
function isSelf(source: Text): boolean {
  return /^(\.|\.\.)?$/.test(staticOf(baseOf(source)) ?? '-');
}

/** `host:path`; a slash before the colon makes it a local name. */
function isRemote(path: Text): boolean {
  return /^[^/]+:/.test(headOf(path));
}

function destinationOf(options: Options): Text | null {
  const [folder] = options.values('-t', '--target-directory');
  if (folder !== undefined) return folder;
  return options.operands.length > 1 ? options.operands.at(-1)! : null;
}

function sourcesOf(options: Options): readonly Text[] {
  return options.has('-t', '--target-directory') ? options.operands : options.operands.slice(0, -1);
}

/** Touches the destination, or what comes to lie in it when it is a folder, or both when that is open. */
function transfer(call: Call, options: Options, how: { role: ShellRole; recursive: boolean }): void {
  const { role, recursive } = how;
  const destination = destinationOf(options);
  const sources = sourcesOf(options);
  if (destination === null || isSink(staticOf(destination) ?? '')) return;
  const isSurelyFolder = options.has('-t', '--target-directory') || sources.length > 1;
  const isSurelyFile = options.has('-T', '--no-target-directory');
  const onlyIf = (isFolder: boolean) =>
    isSurelyFile || isSurelyFolder ? {} : { onlyIf: { path: destination, isFolder } };
  // A folder's trees are merged into the destination by `cp -r a/. b`; then only the whole of it can be named.
  const isMerged = sources.some((source) => isOpen(source) || isSelf(source));
  const hasOpenSource = sources.some((source) => staticOf(source) === null);
  if (!isSurelyFolder || isMerged) {
    call.touch(destination, role, {
      recursive,
      ...(endsInSlash(destination) || isMerged ? {} : onlyIf(false)),
    });
  }
  if (isSurelyFile) return;
  for (const source of sources) {
    if (isSelf(source)) continue;
    const inside = textOf(
      withoutTrailingSlash(destination),
      staticOf(destination) === '/' ? '' : '/',
      baseOf(source),
    );
    call.touch(inside, role, { recursive, ...(hasOpenSource ? {} : onlyIf(true)) });
  }
  for (const suffix of options.values('-S', '--suffix')) call.touch(textOf(destination, suffix), 'write');
  if (options.has('-b', '--backup') && !options.has('-S', '--suffix')) {
    call.touch(textOf(withoutTrailingSlash(destination), '~'), 'write');
  }
}

/** An archive-like name without a known ending, for commands that name their output after their input. */
export function withoutEnding(path: Text, endings: readonly string[]): Text | null {
  const last = path.at(-1);
  if (typeof last !== 'string') return null;
  const ending = endings.find((candidate) => last.endsWith(candidate));
  if (ending === undefined) return null;
  return textOf(path.slice(0, -1), last.slice(0, -ending.length));
}
