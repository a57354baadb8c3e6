import { isObject, type JsonObject } from '../../../core/json.ts';
import { readObject } from '../../shared/install/json-file.ts';
import { faultOfCommand, faultOfWords } from '../../shared/registration.ts';
import { type Check, check, warn } from '../../shared/verify/check.ts';
import type { RegisteredHook, WiringFacts } from '../../shared/verify/verifier.ts';
import { checkClient, checkEvents, checkWorkspace } from '../../shared/verify/wiring-checks.ts';
import { EVENTS } from '../adapter.ts';
import { HOST } from '../decode.ts';
import { backgroundFault, managedOnlyBy, switchedOffBy, VERSION_FLOOR } from '../install/guards.ts';
import { claudePlaces } from '../install/installer.ts';
import { type Places, readSettings, type SettingsFile } from '../install/places.ts';
import { sharedWords } from '../install/shared-line.ts';
import { INNER_DEADLINE_S, isToolEvent, lineOf, mustBlock } from '../install/wiring.ts';

/** What is wrong with the line that starts the launcher, or null. */
function faultOfLine(event: string, handler: JsonObject, project: string): string | null {
  const line = lineOf(handler);
  const shared = sharedWords(line, project);
  if (shared === null)
    return faultOfCommand(HOST, event, line, mustBlock(event) && !Array.isArray(handler.args));
  if (shared.refuses !== mustBlock(event)) return 'its line is that of another event';
  const [launcher = ''] = shared.words;
  if (!launcher.startsWith('/'))
    return `${launcher} is neither on PATH nor in node_modules of the project: every call is refused`;
  return faultOfWords(HOST, event, shared.words);
}

/** What is wrong with one registration, or null: anything that lets a call pass unasked or unanswered. */
function faultOf({ event, handler: entry }: RegisteredHook, project: string): string | null {
  const { matcher } = entry;
  const handler = isObject(entry.handler) ? entry.handler : {};
  const { type, timeout } = handler;
  if (type !== 'command') return `its type is ${String(type)}`;
  if (isToolEvent(event) && matcher !== null && matcher !== '' && matcher !== '*')
    return `its matcher ${JSON.stringify(matcher)} does not cover all tools`;
  if (handler.if !== undefined) return 'its `if` leaves calls out';
  if (handler.async === true || handler.asyncRewake === true) return 'it is async and cannot decide';
  if (mustBlock(event) && handler.onFailure !== 'block')
    return 'onFailure is not "block": a failure lets the call run';
  if (timeout !== undefined && !(typeof timeout === 'number' && timeout > INNER_DEADLINE_S))
    return `its timeout (${String(timeout)} s) is not above the hook's own deadline of ${INNER_DEADLINE_S} s`;
  return faultOfLine(event, handler, project);
}

function checkSwitches(settings: readonly SettingsFile[]): Check[] {
  const off = switchedOffBy(settings);
  const managed = managedOnlyBy(settings);
  const background = backgroundFault(settings);
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
    check(
      'wiring',
      'a command ends at its time limit',
      background === null,
      background ?? 'background tasks are off',
    ),
    ...settings.flatMap(({ file, fault }) =>
      fault === null
        ? []
        : [check('wiring', 'settings can be read', false, `the host ignores ${file}: ${fault}`)],
    ),
  ];
}

function checkPlace(places: Places, registered: readonly RegisteredHook[], cwd: string): Check[] {
  const { project } = places;
  const everywhere = [places.user, places.managed];
  if (
    project === null ||
    registered.some(({ file }) => everywhere.some((folder) => file.startsWith(`${folder}/`)))
  )
    return [];
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

/** Reads the settings as the host merges them and checks that no event gets by. Starts nothing. */
export function checkWiring({ machine, registered, client, asked, cwd }: WiringFacts): Check[] {
  const places = claudePlaces(machine);
  return [
    ...checkEvents(EVENTS, registered, (hook) => faultOf(hook, places.project ?? cwd)),
    ...checkWorkspace(registered, places.project ?? cwd),
    ...checkSwitches(readSettings(places)),
    checkClient(client, asked, {
      title: `the client knows onFailure (${VERSION_FLOOR} or later)`,
      name: 'claude',
      floor: VERSION_FLOOR,
    }),
    ...checkPlace(places, registered, cwd),
  ];
}
