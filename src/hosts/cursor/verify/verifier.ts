import { isObject } from '../../../core/json.ts';
import { isExecutable, type RunResult } from '../../../platform/run.ts';
import { ourHandlers } from '../../shared/install/flat-hooks.ts';
import type { Machine } from '../../shared/install/installer.ts';
import { readObject } from '../../shared/install/json-file.ts';
import { isOurServer, SERVER } from '../../shared/install/server.ts';
import { shellWords } from '../../shared/install/shell-line.ts';
import { answerOf, otherwise, unanswered } from '../../shared/verify/answers.ts';
import { type Check, skip } from '../../shared/verify/check.ts';
import { redirected, startsLine, workspaceIn } from '../../shared/verify/start.ts';
import type {
  Hole,
  HostVerifier,
  RegisteredHook,
  RegisteredServer,
  Verdict,
  WiringFacts,
} from '../../shared/verify/verifier.ts';
import { checkEvents, checkWorkspace } from '../../shared/verify/wiring-checks.ts';
import { HOST } from '../decode.ts';
import { DECIDING, EVENTS as HANDLED } from '../handle.ts';
import { folderFor } from '../install/installer.ts';
import { EVENTS, eventFor, payloadFor, toolFor } from './payloads.ts';

/** The hook's own deadline lies below it. */
const INNER_DEADLINE_S = 20;

/** Ways around the hooks that this host leaves open, by its own executor of hooks and its documentation. */
const HOLES: readonly Hole[] = [
  {
    what: 'no client was tried',
    why: 'What is known of this host comes from its own executor of hooks and its documentation; no client of it was run here.',
  },
  {
    what: 'one bad entry in hooks.json',
    why: 'An unknown event or a wrong field, whoever wrote it, makes the client ignore the whole file.',
  },
  { what: 'Tab completion', why: 'What Tab writes is no call of a tool; only its own events speak of it.' },
  {
    what: 'background shells',
    why: 'The hook of a command does not tell that it goes on behind the call; later changes are not tied to it.',
  },
  {
    what: 'cloud agents',
    why: 'They load only the hooks of the project and the team; the paths of your machine do not exist there.',
  },
  {
    what: 'budgets',
    why: 'The client tells of tokens only at the end of a request, if at all, and of single turns never: every call counts as a turn.',
  },
  { what: 'calls that are already running', why: 'A halt refuses what comes next; it does not end the run.' },
];

function registered(machine: Machine): RegisteredHook[] {
  const folders = (['project', 'user'] as const).flatMap((scope) => folderFor(machine, scope) ?? []);
  return folders.flatMap((folder) => {
    const file = `${folder}/hooks.json`;
    return ourHandlers(readObject(file).value?.hooks).map(({ event, handler }) => {
      const line = String(handler.command);
      return {
        file,
        event,
        handler,
        workspace: workspaceIn(shellWords(line) ?? []),
        start: startsLine(line),
      };
    });
  });
}

/** What is wrong with one registration, or null: anything that lets a call pass unasked or unanswered. */
function faultOf({ event, handler }: RegisteredHook): string | null {
  const { command, matcher, timeout, failClosed, type } = handler;
  if (type !== undefined && type !== 'command') return `its type is ${String(type)}`;
  if (matcher !== undefined) return `its matcher ${JSON.stringify(matcher)} leaves calls out`;
  if (DECIDING.has(event) && failClosed !== true) return 'failClosed is not set: a failure lets the call run';
  if (!(typeof timeout === 'number' && timeout > INNER_DEADLINE_S))
    return `its timeout (${String(timeout)} s) is not above the hook's own deadline of ${INNER_DEADLINE_S} s`;
  const words = shellWords(String(command));
  if (words === null) return 'its command does more than start the launcher';
  if (!isExecutable(words[0] ?? '')) return `${words[0]} cannot be executed`;
  if (!isExecutable(words[1] ?? '')) return `Node is not at ${words[1]}`;
  if (words[2] !== HOST) return `it is registered for host ${words[2]}`;
  const named = words.indexOf('--event');
  return named < 0 || words[named + 1] === event ? null : `it names event ${words[named + 1]}`;
}

function checkWiring({ machine, registered: hooks, cwd }: WiringFacts): Check[] {
  return [
    ...checkEvents(HANDLED, hooks, faultOf),
    ...checkWorkspace(hooks, machine.project ?? cwd),
    skip('wiring', 'the client obeys', 'no client of this host was tried'),
  ];
}

function findServer(machine: Machine): RegisteredServer | null {
  for (const scope of ['project', 'user'] as const) {
    const folder = folderFor(machine, scope);
    const servers = folder === null ? null : readObject(`${folder}/mcp.json`).value?.mcpServers;
    const entry = isObject(servers) ? servers[SERVER] : undefined;
    if (!isObject(entry)) continue;
    const words = Array.isArray(entry.args) ? entry.args.map(String) : [];
    const start = (root: string) => ({ file: String(entry.command), args: redirected(words, root) });
    return { file: `${folder}/mcp.json`, ours: isOurServer(entry), start };
  }
  return null;
}

/** Exit code 2, no answer, and an answer that it cannot read all refuse where `failClosed` is set. */
function verdictOf(result: RunResult): Verdict {
  const silent = unanswered(result);
  if (silent) return silent;
  const answer = answerOf(result);
  const text = typeof answer?.user_message === 'string' ? answer.user_message : result.stderr;
  if (answer?.permission === 'deny' || result.code === 2) return { verdict: 'denied', text };
  return otherwise(result, answer);
}

/** Cursor (hosts reference §9). */
export const cursorVerifier: HostVerifier = {
  host: HOST,
  clients: [],
  events: EVENTS,
  eventFor,
  registered,
  wiring: checkWiring,
  server: { find: findServer },
  env: ({ root }) => ({ CURSOR_PROJECT_DIR: root, CURSOR_VERSION: '0.0.0' }),
  payload: payloadFor,
  toolFor,
  verdictOf,
  locks: ['answer'],
  wiringFiles: ['.cursor/hooks.json', '.cursor/mcp.json'],
  holes: HOLES,
};
