import { isObject } from '../../../../core/json.ts';
import { isExecutable } from '../../../../platform/run.ts';
import { sameJson } from '../../../install/merge.ts';
import { EVENTS } from '../../handle.ts';
import type { Client } from '../client.ts';
import { isAtLeast, managedOnlyBy, type Registered, switchedOffBy, VERSION_FLOOR } from '../guards.ts';
import { type Places, readObject, type SettingsFile } from '../places.ts';
import { INNER_DEADLINE_S, isToolEvent, mustBlock } from '../wiring.ts';
import { type Check, check, skip, warn } from './check.ts';

/** What is wrong with one registration, or null: anything that lets a call pass unasked or unanswered. */
function faultOf({ event, matcher, handler }: Registered): string | null {
  const { type, command, args, timeout } = handler;
  if (type !== 'command') return `its type is ${String(type)}`;
  if (isToolEvent(event) && matcher !== undefined && matcher !== '' && matcher !== '*')
    return `its matcher ${JSON.stringify(matcher)} does not cover all tools`;
  if (!Array.isArray(args)) return 'it has no args, so that a shell and its profile come in between';
  if (handler.if !== undefined) return 'its `if` leaves calls out';
  if (handler.async === true || handler.asyncRewake === true) return 'it is async and cannot decide';
  if (mustBlock(event) && handler.onFailure !== 'block')
    return 'onFailure is not "block": a failure lets the call run';
  if (timeout !== undefined && !(typeof timeout === 'number' && timeout > INNER_DEADLINE_S))
    return `its timeout (${String(timeout)} s) is not above the hook's own deadline of ${INNER_DEADLINE_S} s`;
  if (!isExecutable(String(command))) return `${String(command)} cannot be executed`;
  if (!isExecutable(String(args[0]))) return `Node is not at ${String(args[0])}`;
  if (args[1] !== 'claude-code') return `it is registered for host ${String(args[1])}`;
  const named = args.indexOf('--event');
  if (named >= 0 && args[named + 1] !== event) return `it names event ${String(args[named + 1])}`;
  return null;
}

function checkEvent(event: string, all: readonly Registered[]): Check {
  const title = `${event} is registered`;
  const ours = all.filter((one) => one.event === event);
  const [first] = ours;
  if (!first) return check('wiring', title, false, 'no hook of ours');
  const fault = ours.map((one) => ({ one, why: faultOf(one) })).find(({ why }) => why !== null);
  if (fault) return check('wiring', title, false, `${fault.why} (${fault.one.file})`);
  if (ours.some(({ handler }) => !sameJson(handler, first.handler)))
    return check(
      'wiring',
      title,
      false,
      `different hooks of ours in ${ours.map(({ file }) => file).join(' and ')}: each call counts twice`,
    );
  return check('wiring', title, true, first.file);
}

function checkWorkspace(registered: readonly Registered[], project: string): Check[] {
  const named = new Set(
    registered.flatMap(({ handler }) => {
      const args = Array.isArray(handler.args) ? handler.args : [];
      const at = args.indexOf('--workspace');
      return at < 0 ? [] : [String(args[at + 1])];
    }),
  );
  return [...named]
    .filter((workspace) => workspace !== project)
    .map((workspace) => check('wiring', 'the hooks guard this workspace', false, `they guard ${workspace}`));
}

function checkSwitches(settings: readonly SettingsFile[]): Check[] {
  const off = switchedOffBy(settings);
  const managed = managedOnlyBy(settings);
  return [
    check(
      'wiring',
      'hooks are not switched off',
      off === null,
      off === null ? 'no disableAllHooks' : `disableAllHooks in ${off}`,
    ),
    check(
      'wiring',
      'hooks are not left to the administrator',
      managed === null,
      managed ?? 'no allowManagedHooksOnly',
    ),
    ...settings.flatMap(({ file, fault }) =>
      fault === null
        ? []
        : [check('wiring', 'settings can be read', false, `the host ignores ${file}: ${fault}`)],
    ),
  ];
}

function checkClient(client: Client | null, asked: string | undefined): Check {
  const title = `the client knows onFailure (${VERSION_FLOOR} or later)`;
  if (client === null)
    return asked === undefined
      ? skip('wiring', title, 'no `claude` on PATH; name it with --client')
      : check('wiring', title, false, `${asked} cannot be executed`);
  if (client.version === null) return check('wiring', title, false, `${client.file} tells no version`);
  return check(
    'wiring',
    title,
    isAtLeast(client.version, VERSION_FLOOR),
    `${client.version} (${client.file})`,
  );
}

function checkPlace(places: Places, registered: readonly Registered[], cwd: string): Check[] {
  const { project } = places;
  if (project === null || registered.some(({ file }) => file.startsWith(`${places.user}/`))) return [];
  const projects = readObject(places.state).value?.projects;
  const known = isObject(projects) ? projects[project] : undefined;
  const trusted = isObject(known) && known.hasTrustDialogAccepted === true;
  return [
    ...(trusted
      ? []
      : [
          warn(
            'wiring',
            'the folder is trusted',
            'not yet: an interactive session starts the hooks only after you accept the folder; `claude -p` starts them at once',
          ),
        ]),
    ...(cwd !== project && cwd.startsWith(`${project}/`)
      ? [
          warn(
            'wiring',
            'started in the workspace folder',
            `a client started in ${cwd} loads no hooks of ${project}: start it in the workspace folder, or install with --user`,
          ),
        ]
      : []),
  ];
}

/** What the wiring is asked about; all read beforehand. */
export interface WiringFacts {
  readonly places: Places;
  readonly settings: readonly SettingsFile[];
  readonly registered: readonly Registered[];
  readonly client: Client | null;
  readonly asked: string | undefined;
  readonly cwd: string;
}

/** Reads the settings as the host merges them and checks that no event gets by. Starts nothing. */
export function checkWiring({ places, settings, registered, client, asked, cwd }: WiringFacts): Check[] {
  return [
    ...EVENTS.map((event) => checkEvent(event, registered)),
    ...checkWorkspace(registered, places.project ?? cwd),
    ...checkSwitches(settings),
    checkClient(client, asked),
    ...checkPlace(places, registered, cwd),
  ];
}
