import { isObject } from '../../../core/json.ts';
import { withoutGuard } from '../../shared/install/guarded-line.ts';
import type { Machine } from '../../shared/install/installer.ts';
import { readObject } from '../../shared/install/json-file.ts';
import { isOurServer, SERVER } from '../../shared/install/server.ts';
import { shellWords } from '../../shared/install/shell-line.ts';
import { exitVerdict } from '../../shared/verify/answers.ts';
import { type Check, skip } from '../../shared/verify/check.ts';
import { faultOfLine, startsGuarded } from '../../shared/verify/one-file.ts';
import { redirected, workspaceIn } from '../../shared/verify/start.ts';
import type {
  Hole,
  HostVerifier,
  RegisteredHook,
  RegisteredServer,
  WiringFacts,
} from '../../shared/verify/verifier.ts';
import { checkEvents, checkWorkspace } from '../../shared/verify/wiring-checks.ts';
import { DECIDING } from '../adapter.ts';
import { EVENTS as HANDLED } from '../handle.ts';
import { filesFor, ourHooks } from '../install/installer.ts';
import { HOST } from '../tools.ts';
import { EVENTS, payloadFor, toolFor } from './payloads.ts';

const HOLES: readonly Hole[] = [
  { what: 'no client was tried', why: 'What is known of this host comes from its documentation.' },
  {
    what: 'Kiro CLI 2',
    why: 'It reads hooks of its agents’ own files alone: an agent of it is not governed by these.',
  },
  {
    what: 'a hook that is late',
    why: 'The client runs the call then. PactClaw refuses by itself after 20 s.',
  },
  { what: 'subagents', why: 'Whether their calls fire hooks is not known.' },
  {
    what: 'budgets',
    why: 'The client tells neither of tokens nor of turns: tokens are not counted, and every call counts as a turn.',
  },
];

const REGISTRATION = {
  host: HOST,
  events: HANDLED.map((event) => ({
    event,
    refuses: DECIDING.has(event),
    ...(event.endsWith('ToolUse') ? { matcher: '.*' } : {}),
  })),
};

function registered(machine: Machine): RegisteredHook[] {
  const files = filesFor(machine);
  if (files === null) return [];
  return ourHooks(readObject(files.hooks).value).map(({ hook }) => {
    const action = isObject(hook.action) ? hook.action : {};
    const line = String(action.command);
    return {
      file: files.hooks,
      event: String(hook.trigger),
      // In the form that hosts with groups of hooks have.
      handler: {
        matcher: hook.matcher ?? null,
        enabled: hook.enabled ?? true,
        handler: {
          type: action.type ?? null,
          command: action.command ?? null,
          timeout: hook.timeout ?? null,
        },
      },
      workspace: workspaceIn(shellWords(withoutGuard(line).line) ?? []),
      start: startsGuarded(line),
    };
  });
}

function faultOf(hook: RegisteredHook): string | null {
  return hook.handler.enabled === true ? faultOfLine(REGISTRATION, 1)(hook) : 'it is not enabled';
}

function wiring({ machine, registered: hooks, cwd }: WiringFacts): Check[] {
  return [
    ...checkEvents(HANDLED, hooks, faultOf),
    ...checkWorkspace(hooks, machine.project ?? cwd),
    skip('wiring', 'the client obeys', 'no client of this host was tried'),
  ];
}

function findServer(machine: Machine): RegisteredServer | null {
  const file = filesFor(machine)?.servers;
  const servers = file === undefined ? null : readObject(file).value?.mcpServers;
  const entry = isObject(servers) ? servers[SERVER] : undefined;
  if (file === undefined || !isObject(entry)) return null;
  const words = Array.isArray(entry.args) ? entry.args.map(String) : [];
  const start = (root: string) => ({ file: String(entry.command), args: redirected(words, root) });
  return { file, ours: isOurServer(entry) && entry.disabled !== true, start };
}

/** Kiro's hook files of version 1 (hosts reference §13). */
export const kiroVerifier: HostVerifier = {
  host: HOST,
  clients: [],
  events: EVENTS,
  registered,
  wiring,
  server: { find: findServer },
  env: () => ({}),
  payload: payloadFor,
  toolFor,
  verdictOf: exitVerdict,
  locks: ['exit'],
  guarded: true,
  wiringFiles: ['.kiro/hooks/pactclaw.json', '.kiro/settings/mcp.json'],
  holes: HOLES,
};
