import type { Call, Handler } from '../call.ts';
import { cutText, headOf, staticOf, type Text, UNKNOWN } from '../text.ts';
import type { Place } from './git-place.ts';
import { opaque, outputs, SUBCOMMANDS } from './git-subcommands.ts';
import { folderIn } from './wrappers.ts';

/** Subcommands that change at most `.git`. Committing runs the repository's own hooks, which are its users' choice. */
const QUIET = new Set(
  'status log show blame annotate branch tag remote fetch push rev-parse rev-list ls-files ls-tree ls-remote cat-file describe shortlog reflog add commit notes grep diff diff-tree diff-index diff-files merge-base for-each-ref show-ref symbolic-ref name-rev count-objects fsck gc prune repack pack-refs hash-object update-ref update-index write-tree commit-tree mktree check-ignore check-attr var version help whatchanged range-diff cherry stripspace verify-commit verify-tag maintenance stage request-pull column interpret-trailers'.split(
    ' ',
  ),
);

export const GIT: Readonly<Record<string, Handler>> = { git: (call) => readGit(call) };

function readGit(call: Call): void {
  const { args } = call;
  let cwd = workTree(call, call.cwd, variable(call, 'GIT_WORK_TREE'));
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
    else if (name === '-c' && value !== undefined) cwd = setting(call, cwd, value);
  }
  const name = args[at] === undefined ? 'help' : staticOf(args[at]!);
  const place: Place = { call, cwd };
  const rest = args.slice(at + 1);
  const subcommand = name === null ? undefined : SUBCOMMANDS.get(name);
  if (subcommand !== undefined) subcommand(place, rest);
  else if (name === null || !QUIET.has(name)) opaque(place, name ?? 'a subcommand that cannot be read');
  else outputs(place, rest, ['--output']);
}

/** A variable that git finds in its environment; undefined when it is not set here. */
function variable(call: Call, name: string): Text | undefined {
  const values = call.state.vars.get(name)?.values;
  return call.env.get(name) ?? (values === undefined ? undefined : values.length === 1 ? values[0] : UNKNOWN);
}

function workTree(call: Call, cwd: string | null, folder: Text | undefined): string | null {
  return folder === undefined ? cwd : folderIn(call.cwd, folder);
}

/** Settings whose value is a command line; that of an alias begins with `!` then. */
const COMMANDS =
  /^(?:core\.(?:fsmonitor|pager|editor|sshcommand|askpass|gitproxy)|sequence\.editor|diff\.external|pager\..*|gpg\.(?:.*\.)?program|credential\..*helper|.*\.(?:command|textconv|clean|smudge|process|driver|cmd))$/i;

/** Reads `-c NAME=VALUE`. Returns the folder that paths are seen from. */
function setting(call: Call, cwd: string | null, value: Text): string | null {
  if (!isTelling(value)) return cwd;
  call.opaque('takes a setting that runs programs');
  const cut = cutText(value, '=');
  const [name = '', text] = [cut?.before, cut && staticOf(cut.after)];
  if (/^core\.worktree$/i.test(name)) return workTree(call, cwd, cut?.after);
  if (text && (COMMANDS.test(name) || text.startsWith('!'))) call.guess(text.replace(/^!/, ''));
  return cwd;
}

/** Settings that make git run something: aliases, editors, hooks, filters, and all we do not know. */
function isTelling(setting: Text): boolean {
  const name = cutText(setting, '=')?.before ?? headOf(setting);
  return !/^(user|color|advice|init|commit\.gpgsign|tag\.gpgsign|safe|push|pull|log|status|core\.(quotepath|autocrlf|eol|abbrev|longpaths|precomposeunicode|filemode)|diff\.(renames|noprefix|mnemonicprefix)|http\.(sslverify|postbuffer|lowspeed\w+)|protocol\.\w+|fetch\.\w+|merge\.conflictstyle|rebase\.auto\w+)\b/i.test(
    name,
  );
}
