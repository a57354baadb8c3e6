import { isObject, type JsonObject } from '../../core/json.ts';
import { HANDSHAKE_TOOL } from '../../core/words.ts';
import type { Moment } from '../adapter.ts';
import { faultOf, hooksOf, verdictOf } from '../shared/in-process/verify/plugin-file.ts';
import type { Machine, Scope } from '../shared/install/installer.ts';
import { type Check, check, warn } from '../shared/verify/check.ts';
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
import { leaksOf } from './leaks.ts';
import { HOST, SEAL } from './names.ts';
import { oursIn, settingsOf } from './settings.ts';

/** First version that the plugin's hooks were seen to work with. */
const VERSION_FLOOR = '1.18.0';

const EVENTS = {
  prompt: 'chat.message',
  beforeTool: 'tool.execute.before',
  afterTool: 'tool.execute.after',
  afterFailure: 'event',
  beforeCompact: 'experimental.session.compacting',
  stop: 'event',
} as const;

const HOLES: readonly Hole[] = [
  {
    what: 'permissions of a single agent',
    why: 'They come after the seal: where the plugin does not load, the tools that they allow run.',
  },
  {
    what: 'other plugins and tool files',
    why: 'They run in the same process and may do anything there. What they change in arguments that were judged fails, and every tool of theirs is judged by its name.',
  },
  COMMON_HOLES.HUMAN_COMMAND,
  COMMON_HOLES.AT_FILE,
  COMMON_HOLES.RUNNING_CALLS,
];

const NAMES = [...new Set(Object.values(EVENTS))];

function registered(machine: Machine): RegisteredHook[] {
  return (['project', 'user'] as const).flatMap((scope) =>
    settingsOf(machine, scope).flatMap(({ file, value }) =>
      oursIn(value).flatMap((entry) => hooksOf(HOST, { file, ...entry }, NAMES)),
    ),
  );
}

/** The files that name our plugin, each with whether the seal stands in it and the scope that it belongs to. */
function places(machine: Machine): { file: string; sealed: boolean; scope: Scope }[] {
  return (['project', 'user'] as const).flatMap((scope) =>
    settingsOf(machine, scope).flatMap(({ file, value }) => {
      if (oursIn(value).length === 0) return [];
      const permission = isObject(value?.permission) ? value.permission : {};
      return [{ file, sealed: permission[SEAL] === 'deny', scope }];
    }),
  );
}

function wiring({ machine, registered: hooks, client, asked, cwd }: WiringFacts): Check[] {
  const found = places(machine);
  const sealed = found.length > 0 && found.every((one) => one.sealed);
  const files = found.map(({ file }) => file).join(', ');
  return [
    ...checkEvents(NAMES, hooks, faultOf),
    ...checkWorkspace(hooks, machine.project ?? cwd),
    check(
      'wiring',
      'without the plugin every tool is denied',
      sealed,
      sealed ? `"${SEAL}": "deny" in ${files}` : `no permission "${SEAL}": "deny" beside the plugin`,
    ),
    ...found
      .flatMap(({ file, scope }) => leaksOf(machine, scope, file))
      .map((leak) => warn('wiring', 'nothing comes after the seal', leak)),
    ...(['1', 'true'].includes(machine.env('OPENCODE_PURE') ?? '')
      ? [warn('wiring', 'plugins are not switched off', 'OPENCODE_PURE is set: every tool will be denied')]
      : []),
    checkClient(client, asked, {
      title: `the client is one that was tried (${VERSION_FLOOR} or later)`,
      name: 'opencode',
      floor: VERSION_FLOOR,
    }),
  ];
}

function toolFor(trial: Trial): HostTool {
  switch (trial.does) {
    case 'write':
      return { name: 'write', args: { filePath: trial.file, content: trial.content } };
    case 'edit':
      return { name: 'edit', args: { filePath: trial.file, oldString: 'a', newString: 'b' } };
    case 'read':
      return { name: 'read', args: { filePath: trial.file } };
    case 'shell':
      return { name: 'bash', args: { command: trial.command, description: 'work' } };
    case 'undeclared':
      return { name: 'server_no_such_tool', args: { path: trial.file } };
    case 'handshake':
      return { name: HANDSHAKE_TOOL, args: { intent_id: trial.intentId } };
  }
}

/** What our plugin sends (recorded: fixtures/hosts/opencode). */
function payload({ root }: Sandbox, moment: Moment, call: TriedCall | null): JsonObject {
  const about = (): JsonObject => {
    if (call === null)
      return moment === 'stop' ? { input: { type: 'session.idle', properties: { sessionID: SESSION } } } : {};
    const input = { tool: call.name, sessionID: SESSION, callID: call.id };
    if (moment === 'beforeTool') return { input, output: { args: call.args } };
    if (moment === 'afterTool') return { input: { ...input, args: call.args }, output: { output: 'done' } };
    const state = { status: 'error', input: call.args, error: 'it failed' };
    const part = { type: 'tool', tool: call.name, callID: call.id, sessionID: SESSION, state };
    return { input: { type: 'message.part.updated', properties: { part } } };
  };
  return {
    session: SESSION,
    agent: null,
    cwd: root,
    hook: EVENTS[moment as keyof typeof EVENTS],
    ...(moment === 'prompt' ? { first: true, output: { parts: [{ synthetic: false }] } } : {}),
    ...about(),
  };
}

/** OpenCode: what is tried is the hook, with what our plugin sends it and as our plugin obeys it. */
export const opencodeVerifier: HostVerifier = {
  host: HOST,
  clients: ['opencode'],
  events: EVENTS,
  registered,
  wiring,
  env: () => ({ OPENCODE: '1' }),
  payload,
  toolFor,
  verdictOf,
  wiringFiles: ['opencode.json', '.opencode/opencode.json', '.opencode/plugins/pactclaw.js'],
  holes: HOLES,
};
