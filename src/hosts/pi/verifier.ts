import type { JsonObject } from '../../core/json.ts';
import { HANDSHAKE_TOOL } from '../../core/words.ts';
import { readIfThere } from '../../platform/files.ts';
import type { Moment } from '../adapter.ts';
import { faultOf, hooksOf, verdictOf } from '../shared/in-process/verify/plugin-file.ts';
import type { Machine } from '../shared/install/installer.ts';
import { wiringIn } from '../shared/install/plugin-part.ts';
import { type Check, warn } from '../shared/verify/check.ts';
import { COMMON_HOLES } from '../shared/verify/common-holes.ts';
import { SESSION } from '../shared/verify/sandbox.ts';
import type {
  Hole,
  HostTool,
  HostVerifier,
  RegisteredHook,
  Sandbox,
  Trial,
  TriedCall,
  WiringFacts,
} from '../shared/verify/verifier.ts';
import { checkClient, checkEvents, checkWorkspace } from '../shared/verify/wiring-checks.ts';
import { extensionFile } from './installer.ts';
import { HOST } from './names.ts';

/** First version that the extension's events were seen to work with. */
const VERSION_FLOOR = '0.73.0';

const EVENTS = {
  prompt: 'input',
  beforeTool: 'tool_call',
  afterTool: 'tool_result',
  afterFailure: 'tool_result',
  beforeCompact: 'session_before_compact',
  stop: 'agent_end',
} as const;

const NAMES = [...new Set(Object.values(EVENTS))];

const HOLES: readonly Hole[] = [
  {
    what: '--no-extensions, a removed file',
    why: 'The client has no permissions of its own that would hold then: nothing is governed. One that cannot be loaded ends the client at its start.',
  },
  {
    what: 'a start in a subfolder',
    why: 'Extensions of the project load only where the client is started in the workspace folder. An installation with --user holds everywhere.',
  },
  {
    what: 'other extensions',
    why: 'They run in the same process and may do anything there; one may also put a tool of its own in the place of a built-in one. What they change in arguments that were judged fails.',
  },
  { what: '!command typed by the human', why: 'The client runs it as the human, without a tool call.' },
  { what: '@file arguments', why: 'The client puts the file into the prompt by itself; no tool is called.' },
  COMMON_HOLES.RUNNING_CALLS,
];

function readText(file: string): string {
  try {
    return readIfThere(file)?.toString('utf8') ?? '';
  } catch {
    return '';
  }
}

function registered(machine: Machine): RegisteredHook[] {
  return (['project', 'user'] as const).flatMap((scope) => {
    const file = extensionFile(machine, scope);
    const found = file === null ? null : wiringIn(readText(file));
    return file === null || found === null ? [] : hooksOf(HOST, { file, ...found }, NAMES);
  });
}

function wiring({ machine, registered: hooks, client, asked, cwd }: WiringFacts): Check[] {
  const { project } = machine;
  const inProject = hooks.some(({ file }) => file === extensionFile(machine, 'project'));
  return [
    ...checkEvents(NAMES, hooks, faultOf),
    ...checkWorkspace(hooks, project ?? cwd),
    checkClient(client, asked, {
      title: `the client is one that was tried (${VERSION_FLOOR} or later)`,
      name: 'pi',
      floor: VERSION_FLOOR,
    }),
    ...(inProject && project !== null && cwd.startsWith(`${project}/`)
      ? [
          warn(
            'wiring',
            'started in the workspace folder',
            `a client started in ${cwd} loads no extensions of ${project}: start it in the workspace folder, or install with --user`,
          ),
        ]
      : []),
  ];
}

function toolFor(trial: Trial): HostTool {
  switch (trial.does) {
    case 'write':
      return { name: 'write', args: { path: trial.file, content: trial.content } };
    case 'edit':
      return { name: 'edit', args: { path: trial.file, edits: [{ oldText: 'a', newText: 'b' }] } };
    case 'read':
      return { name: 'read', args: { path: trial.file } };
    case 'shell':
      return { name: 'bash', args: { command: trial.command } };
    case 'undeclared':
      return { name: 'no_such_tool', args: { path: trial.file } };
    case 'handshake':
      return { name: HANDSHAKE_TOOL, args: { intent_id: trial.intentId } };
  }
}

/** What our extension sends (recorded: fixtures/hosts/pi). */
function payload({ root }: Sandbox, moment: Moment, call: TriedCall | null): JsonObject {
  const input =
    call === null
      ? moment === 'prompt'
        ? { source: 'interactive' }
        : {}
      : {
          toolName: call.name,
          toolCallId: call.id,
          input: call.args,
          ...(moment === 'beforeTool'
            ? {}
            : { content: [{ type: 'text', text: 'done' }], isError: moment === 'afterFailure' }),
        };
  const hook = EVENTS[moment as keyof typeof EVENTS];
  return {
    session: SESSION,
    agent: null,
    cwd: root,
    hook,
    ...(moment === 'prompt' ? { first: true } : {}),
    input,
  };
}

/** pi: what is tried is the hook, with what our extension sends it and as our extension obeys it. */
export const piVerifier: HostVerifier = {
  host: HOST,
  clients: ['pi'],
  events: EVENTS,
  registered,
  wiring,
  env: () => ({}),
  payload,
  toolFor,
  verdictOf,
  wiringFiles: ['.pi/extensions/pactclaw.js', '.pi/settings.json'],
  holes: HOLES,
};
