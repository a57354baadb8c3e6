import type { Machine } from '../../shared/install/installer.ts';
import { findServerIn } from '../../shared/server-entry.ts';
import { specificVerdict } from '../../shared/verify/answers.ts';
import { type Check, check } from '../../shared/verify/check.ts';
import { COMMON_HOLES } from '../../shared/verify/common-holes.ts';
import { faultOfLine } from '../../shared/verify/line-hooks.ts';
import { lineHook } from '../../shared/verify/start.ts';
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
  COMMON_HOLES.LATE_OR_KILLED,
  {
    what: 'what is found after a call',
    why: 'The client does not wait for the hook that tells of the end. What has to be put back is put back and recorded, and the agent hears of it with its next call.',
  },
  {
    what: 'prompts of a schedule',
    why: 'What CronCreate and ended tasks say to the agent begins no request: the turn goes on under the last handshake.',
  },
];

const HOOKS = HANDLED.map((event) => ({ event, refuses: DECIDING.has(event) }));

function registered(machine: Machine): RegisteredHook[] {
  const config = readConfig(machine);
  return ourHooks(config).map(({ event, command = null, timeout = null, matcher = null }) => {
    // In the form that hosts with groups of hooks have.
    const entry = { matcher, handler: { type: 'command', command, timeout } };
    return lineHook(config.file, String(event), entry, command);
  });
}

/** As for other hosts; but a matcher is a regular expression here, and a lone `*` is none. */
function faultOf(hook: RegisteredHook): string | null {
  if (hook.handler.matcher === '*') return 'its matcher "*" is no regular expression: it covers nothing';
  return faultOfLine(HOST, HOOKS, 1)(hook);
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
  const own = machine.project && `${machine.project}/.kimi-code/mcp.json`;
  return findServerIn([own, `${folderOf(machine)}/mcp.json`], ({ enabled }) => enabled !== false);
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
