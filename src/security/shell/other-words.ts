import { parseOptions } from './options.ts';
import { headOf, staticOf, type Text } from './text.ts';

/** Arguments that may name places of this machine: those of them that are known to be something else are left out. */
type Filter = (args: readonly Text[]) => readonly Text[];

const plain = (arg: Text | undefined): string => (arg === undefined ? '' : (staticOf(arg) ?? ''));

function without(args: readonly Text[], isOther: (at: number) => boolean): readonly Text[] {
  return args.filter((_, at) => !isOther(at));
}

/** The first argument that is no option. A word that cannot be read counts as one: what follows it is judged. */
function firstOperand(args: readonly Text[], valued: ReadonlySet<string>): number {
  for (let at = 0; at < args.length; at++) {
    if (plain(args[at]) === '--') return at + 1;
    if (valued.has(plain(args[at]))) at += 1;
    else if (!headOf(args[at]!).startsWith('-')) return at;
  }
  return args.length;
}

/**
 * Leaves out the first operand where it is a pattern or a program: it is one unless an option gives that. `given` tells
 * such options; `valued` options take the next word.
 */
function withoutFirst(given: RegExp, valued: readonly string[] = []): Filter {
  const values = new Set(valued);
  return (args) => {
    const isGiven = args.some((arg) => given.test(headOf(arg)) || plain(arg) === '-');
    const first = isGiven ? -1 : firstOperand(args, values);
    return without(
      args,
      // Only where no file of them is read as well does `-e` surely have the next word.
      (at) =>
        at === first || (plain(args[at - 1]) === '-e' && !args.some((arg) => /^-[a-z]*f/i.test(headOf(arg)))),
    );
  };
}

/** Leaves out the values of options, in the next word or after `=`. */
function withoutValues(...names: readonly string[]): Filter {
  const known = new Set(names);
  return (args) =>
    without(args, (at) => {
      const own = headOf(args[at]!);
      return (
        known.has(plain(args[at - 1])) ||
        names.some((name) => name.startsWith('--') && own.startsWith(`${name}=`))
      );
    });
}

const GREP = withoutFirst(/^-(?:[a-z]*[ef]|-reg|-file(?!s-with))/i);
const PATTERN = withoutValues('--grep', '--author', '-S', '-G');
const MESSAGE = withoutValues('--message', '-m', '-am');

function git(args: readonly Text[]): readonly Text[] {
  const at = firstOperand(args, new Set(['-C', '-c']));
  const [before, rest] = [args.slice(0, at + 1), args.slice(at + 1)];
  const sub = plain(args[at]);
  if (sub === 'grep') return [...before, ...GREP(rest)];
  if (/^(?:commit|tag|merge|notes|stash)$/.test(sub)) return [...before, ...MESSAGE(rest)];
  if (/^(?:log|shortlog|rev-list|show|diff)$/.test(sub)) {
    const attached = (arg: Text) => /^-[SG]./.test(headOf(arg));
    return [
      ...before,
      ...remote(PATTERN(rest)).filter((arg) => !attached(arg) && !headOf(arg).startsWith(':')),
    ];
  }
  return remote(args).filter((arg) => !headOf(arg).startsWith(':'));
}

const FIND_TESTS = new Set('path ipath wholename iwholename name iname regex iregex lname ilname'.split(' '));

/** Both sides of a comparison of texts. */
function compared(args: readonly Text[]): readonly Text[] {
  const isSign = (at: number) => /^(?:==?|!=|=~|<|>)$/.test(plain(args[at]));
  return without(args, (at) => isSign(at - 1) || isSign(at + 1));
}

/** This machine by the names that everyone has for it. */
const HERE = /^(?:[^@]*@)?(?:localhost|127\.[\d.]+|\[?::1\]?)$/i;

/** `HOST:/path` lies on another machine, or in a container. */
function remote(args: readonly Text[]): readonly Text[] {
  return args.filter((arg) => {
    const host = /^([^/:=@,-][^/:=,]*):/.exec(headOf(arg))?.[1];
    return host === undefined || HERE.test(host) || /^file$/i.test(host);
  });
}

/** What `ssh` runs, it runs elsewhere. */
function ssh(args: readonly Text[]): readonly Text[] {
  const { operands } = parseOptions(args, { short: 'BbcDEeFIiJLlmOoPpQRSWw', stopAtOperand: true });
  const [host] = operands;
  if (host === undefined || staticOf(host) === null || HERE.test(plain(host))) return args;
  return args.slice(0, args.length - operands.length);
}

const BOX_FLAGS = /^(?:--(?:rm|init|interactive|tty|detach|privileged|read-only)|-[itd]+|--[a-z-]+=.*)$/s;
const BOX_VALUES = new Set(
  '-v --volume --mount -w --workdir -e --env --env-file --name -p --publish -u --user --network --net --entrypoint --platform --add-host -h --hostname -m --memory --cpus --gpus --index'.split(
    ' ',
  ),
);

/** What stands inside the container: the side of a mount after its colon, and the command with its arguments. */
function box(args: readonly Text[]): readonly Text[] {
  let at = plain(args[0]) === 'compose' || plain(args[0]) === 'container' ? 1 : 0;
  const sub = plain(args[at]);
  if (sub === 'cp') return remote(args);
  if (sub !== 'exec' && sub !== 'run') return args;
  const own: Text[] = [];
  for (at += 1; at < args.length; at++) {
    const word = plain(args[at]);
    if (BOX_VALUES.has(word)) {
      const value = plain(args[++at]);
      if (word === '-w' || word === '--workdir' || word === '--entrypoint') continue;
      own.push(value === '' ? (args[at] ?? []) : [outside(word, value)].filter((text) => text !== ''));
    } else if (BOX_FLAGS.test(word)) own.push([outside(word.replace(/=.*/s, ''), word)]);
    // The image or the container; behind an option that is not known it could be that one's value.
    else return word === '' || word.startsWith('-') ? args : [...own, args[at]!];
  }
  return own;
}

function outside(option: string, text: string): string {
  if (option === '-v' || option === '--volume') return text.replace(/^([^:]*):.*$/s, '$1');
  return option === '--mount' ? text.replace(/(?:target|dst|destination)=[^,]*/g, '') : text;
}

/** `kubectl exec POD -- COMMAND`, `kubectl cp POD:/x y`. */
function cluster(args: readonly Text[]): readonly Text[] {
  const end = args.findIndex((arg) => plain(arg) === '--');
  const isExec = args.slice(0, 3).some((arg) => plain(arg) === 'exec');
  if (isExec) return end < 0 ? args : args.slice(0, end);
  return args.filter((arg) => !/^[^/:=-][^:=]*:\//.test(headOf(arg)));
}

const FILTERS: ReadonlyMap<string, Filter> = new Map<string, Filter>([
  ...['grep', 'egrep', 'fgrep', 'zgrep', 'rg', 'ag'].map((name): [string, Filter] => [name, GREP]),
  ...['sed', 'gsed'].map((name): [string, Filter] => [name, withoutFirst(/^-(?:[a-z]*[ef]|-e|-fi)/)]),
  ...['awk', 'gawk', 'mawk', 'nawk'].map((name): [string, Filter] => [
    name,
    withoutFirst(/^-(?:[eEfi]|-(?:f|s|e|inc))/, ['-v', '-F']),
  ]),
  ...['perl', 'ruby'].map((name): [string, Filter] => [
    name,
    (args) => without(args, (at) => /^-[a-z0-9]*e$/i.test(plain(args[at - 1]))),
  ]),
  ['find', (args) => without(args, (at) => FIND_TESTS.has(plain(args[at - 1]).replace(/^-/, '')))],
  ['git', git],
  ['gh', withoutValues('--title', '-t', '--body', '-b')],
  ...['test', '['].map((name): [string, Filter] => [name, compared]),
  ...['echo', 'printf', ':', 'true', 'false', 'basename', 'dirname', 'tr'].map((name): [string, Filter] => [
    name,
    () => [],
  ]),
  ...['scp', 'rsync', 'sftp'].map((name): [string, Filter] => [name, remote]),
  ['ssh', ssh],
  ['kubectl', cluster],
  ...['docker', 'podman', 'nerdctl'].map((name): [string, Filter] => [name, box]),
]);

/** What is left out is left out, whatever it is. */
const LEFT_OUT = /^--(?:exclude|exclude-dir|include|ignore|ignore-pattern|i?glob)=/;

/** The arguments of a program that may name places of this machine. */
export function placesAmong(program: string, args: readonly Text[]): readonly Text[] {
  const rest = args.filter((arg) => !LEFT_OUT.test(headOf(arg)));
  return FILTERS.get(program)?.(rest) ?? rest;
}
