import type { Machine, Scope } from '../../shared/install/installer.ts';
import { isOurServer } from '../../shared/install/server.ts';
import { specificVerdict } from '../../shared/verify/answers.ts';
import { type Check, warn } from '../../shared/verify/check.ts';
import { faultOfLine, lineHooks } from '../../shared/verify/one-file.ts';
import { redirected } from '../../shared/verify/start.ts';
import type { Hole, HostVerifier, RegisteredServer, WiringFacts } from '../../shared/verify/verifier.ts';
import { checkEvents, checkWorkspace } from '../../shared/verify/wiring-checks.ts';
import { EVENTS as HANDLED } from '../handle.ts';
import { DECIDING, hookSettings, serverEntry } from '../install/installer.ts';
import { HOST } from '../tools.ts';
import { EVENTS, payloadFor, toolFor } from './payloads.ts';

/** Ways around the hooks that this host leaves open, as its program and its documentation tell. */
const HOLES: readonly Hole[] = [
  {
    what: 'the client itself',
    why: 'It wants an account and was not run by us: what it does with an answer is read from its program.',
  },
  {
    what: 'hooksDisabled, allowManagedHooksOnly',
    why: 'Settings of an organisation switch hooks off. PactClaw does not read them.',
  },
  {
    what: 'a folder that is not trusted',
    why: 'Hooks of the project load only once the human has accepted the folder.',
  },
  {
    what: "another hook's allow",
    why: 'The first hook that decides may count, and another one may rewrite the call after it was judged. What a command did is still held against the scope.',
  },
  {
    what: 'a hook that is late, a shell that is killed',
    why: 'The client runs the call then. PactClaw refuses by itself after 20 s, and its launcher after 21 s.',
  },
  {
    what: 'calls without ids',
    why: 'A command that plays the client could end and begin its own call again.',
  },
  {
    what: 'tokens',
    why: 'The client tells hooks of none. Each call counts as a turn.',
  },
];

const REGISTRATION = {
  host: HOST,
  events: HANDLED.map((event) => ({ event, refuses: DECIDING.has(event) })),
};

function wiring({ machine, registered, cwd }: WiringFacts): Check[] {
  const { project } = machine;
  return [
    ...checkEvents(HANDLED, registered, faultOfLine(REGISTRATION, 1)),
    ...checkWorkspace(registered, project ?? cwd),
    ...hookSettings(machine).flatMap(({ file, fault }) =>
      fault === null ? [] : [warn('wiring', 'hooks can be read', `${file}: ${fault}`)],
    ),
    ...(project === null
      ? []
      : [
          warn(
            'wiring',
            'the folder is trusted',
            'not checked: until it is, the client loads no hooks of it',
          ),
        ]),
  ];
}

function findServer(machine: Machine): RegisteredServer | null {
  for (const scope of ['project', 'user'] satisfies Scope[]) {
    const found = serverEntry(machine, scope);
    if (found === null) continue;
    const { file, entry } = found;
    const words = Array.isArray(entry.args) ? entry.args.map(String) : [];
    const start = (root: string) => ({ file: String(entry.command), args: redirected(words, root) });
    return { file, ours: isOurServer(entry), start };
  }
  return null;
}

/** Factory droid (hosts reference §15). */
export const droidVerifier: HostVerifier = {
  host: HOST,
  clients: ['droid'],
  events: EVENTS,
  registered: (machine) => lineHooks(hookSettings(machine)),
  wiring,
  server: { find: findServer },
  env: ({ root }) => ({ FACTORY_PROJECT_DIR: root, DROID_PROJECT_DIR: root, CLAUDE_PROJECT_DIR: root }),
  payload: payloadFor,
  toolFor,
  verdictOf: specificVerdict,
  guarded: true,
  wiringFiles: ['.factory/hooks.json', '.factory/mcp.json'],
  holes: HOLES,
};
