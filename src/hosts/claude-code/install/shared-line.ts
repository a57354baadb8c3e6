import { findOnPath, isExecutable } from '../../../platform/run.ts';
import { shellLine, shellWords } from '../../shared/install/shell-line.ts';
import { HOST } from '../decode.ts';

/**
 * Finds PactClaw on the machine at hand: on PATH, else among the packages of the project. PATH comes first, because
 * packages are written by commands of agents. It passes on an answer and nothing else, as the guard of other lines does.
 */
const script = (otherwise: 1 | 2) =>
  [
    'l=$(command -v "$0") || l=$CLAUDE_PROJECT_DIR/node_modules/pactclaw/bin/$0;',
    'o=$("$l" "$1" "$2" --workspace "$CLAUDE_PROJECT_DIR" --event "$3"); c=$?;',
    'case $c:$o in 0:{* | 2:{*) printf "%s\\n" "$o"; exit $c ;; esac;',
    'echo "Fail-Safe Default: PactClaw is not installed on this machine, or could not judge this call.',
    `A human can run: npm install --global pactclaw, then: pactclaw verify $2" >&2; exit ${otherwise}`,
  ].join(' ');

/** The same for the handshake's server, which the client starts in the project's folder. */
const SERVER_SCRIPT =
  'command -v "$0" >/dev/null && exec "$0" "$@"; exec node_modules/pactclaw/bin/"$0" "$@"';

/**
 * The command line of an event's hook for settings that git tracks: it names no path of any machine, so that it holds in
 * every clone and work tree. `refuses`: a failure must refuse; elsewhere it must only be no answer.
 */
export function sharedLine(event: string, refuses: boolean): string {
  return shellLine(['/bin/sh', '-c', script(refuses ? 2 : 1), 'pactclaw-hook', 'node', HOST, event]);
}

/** What starts the server from a file that git tracks. */
export const SHARED_SERVER = {
  command: '/bin/sh',
  args: ['-c', SERVER_SCRIPT, 'pactclaw', 'mcp', 'serve'],
} as const;

/** True for the words of a line or server that git tracks. */
export function isShared(words: readonly unknown[]): boolean {
  return [script(1), script(2), SERVER_SCRIPT].includes(String(words[2]));
}

/** The program of PactClaw that a shared line finds for a project, or null. */
export function sharedProgram(name: string, project: string): string | null {
  const own = `${project}/node_modules/pactclaw/bin/${name}`;
  return findOnPath(name) ?? (isExecutable(own) ? own : null);
}

/** What the launcher is given by a shared line that finds it, or null for another line. */
export function sharedWords(line: string, project: string): { words: string[]; refuses: boolean } | null {
  const [sh, c, text, name = '', node = '', host = '', event = ''] = shellWords(line) ?? [];
  if (sh !== '/bin/sh' || c !== '-c' || !isShared([sh, c, text])) return null;
  const words = [sharedProgram(name, project) ?? name, findOnPath(node) ?? node, host, '--event', event];
  return { words, refuses: text === script(2) };
}
