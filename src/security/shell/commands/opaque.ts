import type { Call, Handler } from '../call.ts';
import { detaches } from '../environment.ts';
import { headOf, staticOf, type Text, textOf } from '../text.ts';
import { isQuestion } from './editors.ts';

/** Why the effect of a well-known command cannot be read, by reason. */
const REASONS: Readonly<Record<string, string>> = {
  'runs code':
    'python python2 python3 pypy pypy3 ipython node nodejs deno bun tsx ts-node php lua luajit tclsh wish expect osascript Rscript R julia ghci scala groovy java jshell dotnet swift pwsh powershell fish csh tcsh nu elvish xonsh guile racket sbcl clojure elixir iex erl escript gdb lldb sqlite3 psql mysql mongosh redis-cli m4',
  'runs what its project says':
    'make gmake cmake ninja meson bazel buck gradle gradlew mvn ant sbt rake just task nx turbo lerna vite webpack rollup tsc jest vitest mocha pytest tox nox cargo go rustc gcc g++ cc clang clang++ ld zig stack cabal mix rebar3 composer bundle rails django-admin prettier eslint biome ruff black isort mypy pre-commit docker docker-compose podman kubectl helm terraform ansible ansible-playbook vagrant packer',
  'installs and runs packages':
    'npm npx pnpm pnpx yarn corepack bunx pip pip2 pip3 pipx uv uvx poetry conda mamba gem brew apt apt-get aptitude dpkg rpm yum dnf pacman apk snap flatpak nix nix-env nix-shell cpan luarocks opam easy_install',
};

/** Commands that go on after they return, or that have another one go on for them. */
const BACKGROUND =
  'at batch crontab screen tmux start-stop-daemon daemontools pm2 forever launchctl systemctl service supervisorctl nodemon byobu dtach abduco'.split(
    ' ',
  );

/** Ways to call them that only look. */
const LOOKING =
  /^(-l|-ls|--list|ls|list|list-\w+|status|--status-all|show|is-active|is-enabled|is-failed|cat|logs|info|print|blame|has-session|display-message|capture-pane|-V|--version|--help|help)$/;

export const OPAQUE: Readonly<Record<string, Handler>> = {
  ...Object.fromEntries(
    Object.entries(REASONS).flatMap(([reason, names]) =>
      names.split(' ').map((name) => [name, (call: Call) => readOpaque(call, reason)] as const),
    ),
  ),
  ...Object.fromEntries(BACKGROUND.map((name) => [name, readService] as const)),
};

/** A command whose effect cannot be read: what is known of it is whether it goes on by its own words. */
export function readOpaque(call: Call, reason: string): void {
  if (isQuestion(call)) return;
  call.opaque(reason);
  if (isDetached(call) || runsDetaching(call)) call.background();
}

function readService(call: Call): void {
  if (onlyLooks(call)) return;
  call.background();
  call.opaque('has something run later or elsewhere');
  if (/^(at|batch)$/.test(call.name) && call.stdin != null && headOf(call.stdin) !== '')
    call.script(call.stdin);
}

/** `systemctl --user status x`, `service x status`. A second command of tmux may do anything: `tmux ls \; new -d x`. */
function onlyLooks(call: Call): boolean {
  const words = call.args.map((arg) => staticOf(arg) ?? '');
  if (words.some((word) => word === '' || word.endsWith(';'))) return false;
  if (call.name === 'service' && words.length === 2) return words[1] === 'status';
  const flags = words.findIndex((word) => !/^(--user|--system|--no-pager|--all|-a|--full)$/.test(word));
  return LOOKING.test(words[flags] ?? '');
}

/** `docker run -d`, `docker compose up -d`, `gunicorn -D`, `redis-server --daemonize yes`, `mongod --fork`, `nginx`. */
function isDetached({ name, args }: Call): boolean {
  if (DAEMONS.has(name)) return !args.some((arg) => FOREGROUND.test(headOf(arg)));
  const short = DETACHING.get(name);
  const own = BOXES.has(name) ? boxOptions(args) : args;
  return own.some((arg, at) => {
    const word = headOf(arg);
    if (short?.test(word)) return true;
    if (!/^--?(daemon|daemoni[sz]e|detach|detached|background|fork)(=|$)/.test(word)) return false;
    const value = /=(.*)/s.exec(word)?.[1] ?? staticOf(args[at + 1] ?? []) ?? '';
    return !/^(no|false|0|off)$/.test(value);
  });
}

/** Without what runs inside the container: a second word in a row is no option's value. */
function boxOptions(args: readonly Text[]): readonly Text[] {
  const from = args.findIndex((arg) => /^(run|exec|up|start|create)$/.test(staticOf(arg) ?? ''));
  const isWord = (at: number) => at > from && !headOf(args[at] ?? textOf('-')).startsWith('-');
  const end = args.findIndex((_, at) => isWord(at) && isWord(at - 1));
  return end < 0 || staticOf(args[from] ?? []) === 'up' ? args : args.slice(0, end);
}

const BOXES = new Set(['docker', 'docker-compose', 'podman', 'nerdctl']);
/** Options and words by which single programs go on in the background. */
const DETACHING: ReadonlyMap<string, RegExp> = new Map([
  ...[...BOXES, 'memcached'].map((name) => [name, /^-\w*d\w*$/] as const),
  ...['gunicorn', 'php-fpm', 'celery', 'snmpd'].map((name) => [name, /^(-D|multi)$/] as const),
  ...['pg_ctl', 'pg_ctlcluster', 'apachectl', 'rc-service', 'brew'].map((name) => [name, /^start$/] as const),
]);
/** Programs that do so unless they are told not to. */
const DAEMONS = new Set(['nginx', 'httpd', 'apache2', 'sshd', 'cron', 'crond', 'dnsmasq']);
const FOREGROUND = /^-(?:[tTvVhDXkdfn]|-version|-help)|daemon off/;

/** `make -f - <<EOF`, `make --eval=…`: recipes that stand in the command. */
function runsDetaching(call: Call): boolean {
  if (!/^(g|c)?make$/.test(call.name)) return false;
  const texts = [...call.args, ...(call.stdin == null ? [] : [call.stdin])];
  return texts.some((text) => text.some((piece) => typeof piece === 'string' && detaches(piece)));
}
