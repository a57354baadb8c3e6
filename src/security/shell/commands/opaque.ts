import type { Call, Handler } from '../call.ts';
import { headOf, staticOf } from '../text.ts';
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
  /^(-l|-ls|--list|ls|list|list-\w+|status|show|is-active|is-enabled|cat|logs|info|has-session|display-message|capture-pane|-V|--version)$/;

export const OPAQUE: Readonly<Record<string, Handler>> = {
  ...Object.fromEntries(
    Object.entries(REASONS).flatMap(([reason, names]) =>
      names.split(' ').map(
        (name) =>
          [
            name,
            (call: Call) => {
              if (isQuestion(call)) return;
              call.opaque(reason);
              if (isDetached(call)) call.background();
            },
          ] as const,
      ),
    ),
  ),
  ...Object.fromEntries(
    BACKGROUND.map(
      (name) =>
        [
          name,
          (call: Call) => {
            if (LOOKING.test(staticOf(call.args[0] ?? []) ?? '')) return;
            call.background();
            call.opaque('has something run later or elsewhere');
            if (/^(at|batch|crontab)$/.test(name) && call.stdin != null && headOf(call.stdin) !== '') {
              if (name !== 'crontab') call.script(call.stdin);
            }
          },
        ] as const,
    ),
  ),
};

/** `docker run -d`, `docker compose up -d`. */
function isDetached(call: Call): boolean {
  return (
    /^(docker|docker-compose|podman)$/.test(call.name) &&
    call.args.some((arg) => /^(-\w*d\w*|--detach)$/.test(headOf(arg)))
  );
}
