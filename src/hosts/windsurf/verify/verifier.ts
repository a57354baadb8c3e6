import { isObject, type JsonObject } from '../../../core/json.ts';
import { HANDSHAKE_TOOL } from '../../../core/words.ts';
import { isExecutable } from '../../../platform/run.ts';
import { ourHandlers } from '../../shared/install/flat-hooks.ts';
import { withoutGuard } from '../../shared/install/guarded-line.ts';
import type { Machine } from '../../shared/install/installer.ts';
import { readObject } from '../../shared/install/json-file.ts';
import { isOurServer, SERVER } from '../../shared/install/server.ts';
import { shellWords } from '../../shared/install/shell-line.ts';
import { exitVerdict } from '../../shared/verify/answers.ts';
import { type Check, skip } from '../../shared/verify/check.ts';
import { startsGuarded } from '../../shared/verify/one-file.ts';
import { SESSION } from '../../shared/verify/sandbox.ts';
import { redirected, workspaceIn } from '../../shared/verify/start.ts';
import type {
  Hole,
  HostTool,
  HostVerifier,
  Moment,
  RegisteredHook,
  RegisteredServer,
  Sandbox,
  Trial,
  TriedCall,
  WiringFacts,
} from '../../shared/verify/verifier.ts';
import { checkEvents, checkWorkspace } from '../../shared/verify/wiring-checks.ts';
import { EVENTS } from '../adapter.ts';
import { HOST } from '../decode.ts';

const HOLES: readonly Hole[] = [
  { what: 'no client was tried', why: 'What is known of this host comes from its documentation.' },
  {
    what: 'whatever fires no hook',
    why: 'Search on the web, the browser and subagents have no hook; nothing of them is judged.',
  },
  { what: 'late hooks', why: 'The documentation names no timeout; what happens after one is not known.' },
  {
    what: 'budgets',
    why: 'The client tells neither of tokens nor of turns: tokens are not counted, and every call counts as a turn.',
  },
];

function registered({ project }: Machine): RegisteredHook[] {
  const file = `${project}/.windsurf/hooks.json`;
  if (project === null) return [];
  return ourHandlers(readObject(file).value?.hooks).map(({ event, handler }) => {
    const line = String(handler.command);
    const workspace = workspaceIn(shellWords(withoutGuard(line).line) ?? []);
    return { file, event, handler, workspace, start: startsGuarded(line) };
  });
}

/** What is wrong with one registration, or null. */
function faultOf({ event, handler }: RegisteredHook): string | null {
  const { line, guarded } = withoutGuard(String(handler.command));
  if (event.startsWith('pre_') && !guarded)
    return 'a launcher that is gone would let the call run; install again';
  const words = shellWords(line) ?? [];
  if (!isExecutable(words[0] ?? '')) return `${words[0] ?? line} cannot be executed`;
  if (!isExecutable(words[1] ?? '')) return `Node is not at ${words[1]}`;
  if (words[2] !== HOST) return `it is registered for host ${words[2]}`;
  return words[words.indexOf('--event') + 1] === event ? null : 'it does not name its event';
}

function checkWiring({ machine, registered: hooks, cwd }: WiringFacts): Check[] {
  return [
    ...checkEvents(EVENTS, hooks, faultOf),
    ...checkWorkspace(hooks, machine.project ?? cwd),
    skip('wiring', 'the client obeys', 'no client of this host was tried'),
  ];
}

function findServer({ home }: Machine): RegisteredServer | null {
  const file = `${home}/.codeium/windsurf/mcp_config.json`;
  const servers = readObject(file).value?.mcpServers;
  const entry = isObject(servers) ? servers[SERVER] : undefined;
  if (!isObject(entry)) return null;
  const words = Array.isArray(entry.args) ? entry.args.map(String) : [];
  const start = (root: string) => ({ file: String(entry.command), args: redirected(words, root) });
  return { file, ours: isOurServer(entry), start };
}

/** The action of each trial; a host that knows no others has no tool that nobody declared but those of servers. */
const ACTIONS: Readonly<Record<Trial['does'], string>> = {
  write: 'write_code',
  edit: 'write_code',
  read: 'read_code',
  shell: 'run_command',
  undeclared: 'mcp_tool_use',
  handshake: 'mcp_tool_use',
};

function eventFor(moment: Moment, call: TriedCall | null): string | undefined {
  if (call === null) return undefined;
  return `${moment === 'beforeTool' ? 'pre' : 'post'}_${ACTIONS[call.trial.does]}`;
}

function toolFor(trial: Trial): HostTool {
  switch (trial.does) {
    case 'write':
      return {
        name: 'write_code',
        args: { file_path: trial.file, edits: [{ old_string: '', new_string: trial.content }] },
      };
    case 'edit':
      return {
        name: 'write_code',
        args: { file_path: trial.file, edits: [{ old_string: 'a', new_string: 'b' }] },
      };
    case 'read':
      return { name: 'read_code', args: { file_path: trial.file } };
    case 'shell':
      return { name: 'run_command', args: { command_line: trial.command } };
    case 'undeclared':
      return {
        name: 'mcp_tool_use',
        args: { mcp_server_name: 'x', mcp_tool_name: 'no_such', mcp_tool_arguments: { path: trial.file } },
      };
    case 'handshake':
      return {
        name: 'mcp_tool_use',
        args: {
          mcp_server_name: SERVER,
          mcp_tool_name: HANDSHAKE_TOOL,
          mcp_tool_arguments: { intent_id: trial.intentId },
        },
      };
  }
}

const MOMENTS = {
  prompt: 'pre_user_prompt',
  beforeTool: 'pre_write_code',
  afterTool: 'post_write_code',
  stop: 'post_cascade_response',
} as const;

function payloadFor({ root }: Sandbox, moment: Moment, call: TriedCall | null): JsonObject {
  const event = eventFor(moment, call) ?? (moment === 'prompt' ? MOMENTS.prompt : MOMENTS.stop);
  const about = moment === 'prompt' ? { user_prompt: 'verify' } : { response: 'done' };
  return {
    agent_action_name: event,
    trajectory_id: SESSION,
    execution_id: 'verify',
    timestamp: '2026-01-01T00:00:00Z',
    model_name: 'verify',
    tool_info: call === null ? about : { ...call.args, cwd: root },
  };
}

/** Windsurf's Cascade (hosts reference §12). */
export const windsurfVerifier: HostVerifier = {
  host: HOST,
  clients: [],
  events: MOMENTS,
  eventFor,
  registered,
  wiring: checkWiring,
  server: { find: findServer },
  env: () => ({}),
  payload: payloadFor,
  toolFor,
  verdictOf: exitVerdict,
  locks: ['exit'],
  guarded: true,
  wiringFiles: ['.windsurf/hooks.json'],
  holes: HOLES,
};
