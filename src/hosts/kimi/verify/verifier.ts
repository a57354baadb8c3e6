import { isObject } from '../../../core/json.ts';
import { withoutGuard } from '../../shared/install/guarded-line.ts';
import type { Machine } from '../../shared/install/installer.ts';
import { readObject } from '../../shared/install/json-file.ts';
import { isOurServer, SERVER } from '../../shared/install/server.ts';
import { shellWords } from '../../shared/install/shell-line.ts';
import { specificVerdict } from '../../shared/verify/answers.ts';
import { type Check, check } from '../../shared/verify/check.ts';
import { faultOfLine, startsGuarded } from '../../shared/verify/one-file.ts';
import { redirected, workspaceIn } from '../../shared/verify/start.ts';
import type {
  Hole,
  HostVerifier,
  RegisteredHook,
  RegisteredServer,
  WiringFacts,
} from '../../shared/verify/verifier.ts';
import { checkClient, checkEvents, checkWorkspace } from '../../shared/verify/wiring-checks.ts';
import { DECIDING, EVENTS as HANDLED } from '../adapter.ts';
import { folderOf, ourHooks, readConfig, VERSION_FLOOR } from '../install/installer.ts';
import { HOST } from '../tools.ts';
import { EVENTS, payloadFor, toolFor } from './payloads.ts';

/** Ways around the hooks that this host leaves open: seen on the real client 2.1.0, or told by its documentation. */
const HOLES: readonly Hole[] = [
  {
    what: 'another KIMI_CODE_HOME',
    why: 'The client reads hooks from its own folder alone. Started with another one it loads none of these.',
  },
  {
    what: 'a settings file that it cannot read',
    why: 'The client then begins with its defaults and without hooks, and says so in its log.',
  },
  {
    what: 'a hook that is late, a shell that is killed',
    why: 'The client runs the call then. PactClaw refuses by itself after 20 s, and its launcher after 21 s.',
  },
  {
    what: 'what is found after a call',
    why: 'The client does not wait for the hook that tells of the end. What has to be put back is put back and recorded, and the agent hears of it with its next call.',
  },
  {
    what: 'prompts of a schedule',
    why: 'What CronCreate and ended tasks say to the agent begins no request: the turn goes on under the last handshake.',
  },
];

const REGISTRATION = {
  host: HOST,
  events: HANDLED.map((event) => ({ event, refuses: DECIDING.has(event) })),
};

function registered(machine: Machine): RegisteredHook[] {
  const config = readConfig(machine);
  return ourHooks(config).map((hook) => {
    const line = String(hook.command);
    const { event, command, timeout, matcher } = hook;
    return {
      file: config.file,
      event: String(event),
      // In the form that hosts with groups of hooks have.
      handler: {
        matcher: matcher ?? null,
        handler: { type: 'command', command: command ?? null, timeout: timeout ?? null },
      },
      workspace: workspaceIn(shellWords(withoutGuard(line).line) ?? []),
      start: startsGuarded(line),
    };
  });
}

/** As for other hosts; but a matcher is a regular expression here, and a lone `*` is none. */
function faultOf(hook: RegisteredHook): string | null {
  if (hook.handler.matcher === '*') return 'its matcher "*" is no regular expression: it covers nothing';
  return faultOfLine(REGISTRATION, 1)(hook);
}

function wiring({ machine, registered: hooks, client, asked, cwd }: WiringFacts): Check[] {
  const { file, fault } = readConfig(machine);
  return [
    ...checkEvents(HANDLED, hooks, faultOf),
    ...checkWorkspace(hooks, machine.project ?? cwd),
    check('wiring', 'the settings can be read', fault === null, fault === null ? file : `${file}: ${fault}`),
    checkClient(client, asked, {
      title: `the client is ${VERSION_FLOOR} or later`,
      name: 'kimi',
      floor: VERSION_FLOOR,
    }),
  ];
}

/** The entry that counts: a project's takes the place of the user's. */
function findServer(machine: Machine): RegisteredServer | null {
  const folders = [...(machine.project === null ? [] : [`${machine.project}/.kimi-code`]), folderOf(machine)];
  for (const folder of folders) {
    const file = `${folder}/mcp.json`;
    const servers = readObject(file).value?.mcpServers;
    const entry = isObject(servers) ? servers[SERVER] : undefined;
    if (!isObject(entry)) continue;
    const words = Array.isArray(entry.args) ? entry.args.map(String) : [];
    const start = (root: string) => ({ file: String(entry.command), args: redirected(words, root) });
    return { file, ours: isOurServer(entry) && entry.enabled !== false, start };
  }
  return null;
}

/** Kimi Code CLI. */
export const kimiVerifier: HostVerifier = {
  host: HOST,
  clients: ['kimi'],
  events: EVENTS,
  registered,
  wiring,
  server: { find: findServer },
  env: () => ({ KIMI_CODE_HOME: undefined }),
  payload: payloadFor,
  toolFor,
  verdictOf: specificVerdict,
  guarded: true,
  wiringFiles: ['.kimi-code/mcp.json'],
  holes: HOLES,
};
