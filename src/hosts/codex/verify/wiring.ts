import { isObject } from '../../../core/json.ts';
import type { Machine } from '../../shared/install/installer.ts';
import { faultOfCommand } from '../../shared/registration.ts';
import { type Check, check } from '../../shared/verify/check.ts';
import type { RegisteredHook, WiringFacts } from '../../shared/verify/verifier.ts';
import { checkClient, checkEvents, checkWorkspace } from '../../shared/verify/wiring-checks.ts';
import { EVENTS } from '../handle.ts';
import {
  allRegistered,
  distrust,
  hookFilesOf,
  managedOnlyBy,
  switchedOffBy,
  VERSION_FLOOR,
} from '../install/guards.ts';
import { CLIENT } from '../install/installer.ts';
import { readConfig, userFolderOf } from '../install/places.ts';
import { INNER_DEADLINE_S, isToolEvent, mustRefuse, SESSION_END_S } from '../install/wiring.ts';
import { HOST } from '../tools.ts';

const ALL_TOOLS = new Set(['', '*', '.*']);

/** What is wrong with one registration, or null: anything that lets a call pass unasked or unanswered. */
function faultOf({ event, handler: entry }: RegisteredHook): string | null {
  const { matcher } = entry;
  const handler = isObject(entry.handler) ? entry.handler : {};
  const { type, command, timeout } = handler;
  if (type !== 'command') return `its type is ${String(type)}`;
  if (isToolEvent(event) && matcher !== null && !ALL_TOOLS.has(String(matcher)))
    return `its matcher ${JSON.stringify(matcher)} does not cover all tools`;
  if (handler.async === true) return 'it is async and cannot decide';
  const least = event === 'SessionEnd' ? SESSION_END_S - 1 : INNER_DEADLINE_S;
  if (timeout !== undefined && !(typeof timeout === 'number' && timeout > least))
    return `its timeout (${String(timeout)} s) is not above the hook's own deadline of ${least} s`;
  return faultOfCommand(HOST, event, command, mustRefuse(event));
}

/** The host skips a hook that it does not trust, or that was edited since, and says nothing. */
function checkTrust(machine: Machine): Check {
  const hooks = readConfig(userFolderOf(machine)).value?.hooks;
  const state = isObject(hooks) && isObject(hooks.state) ? hooks.state : {};
  const skipped = allRegistered(machine).filter(({ key, hash }) => {
    const known = state[key];
    return !isObject(known) || known.enabled === false || known.trusted_hash !== hash;
  });
  return check(
    'wiring',
    'Codex trusts the hooks',
    skipped.length === 0,
    skipped.length === 0
      ? `${userFolderOf(machine)}/config.toml`
      : `it skips ${skipped.map(({ event }) => event).join(', ')}: run \`pactclaw install codex\` again, or review them with /hooks in Codex`,
  );
}

/** Reads the settings as the host merges them and checks that no event gets by. Starts nothing but `--version`. */
export function checkWiring({ machine, registered, client, asked, cwd }: WiringFacts): Check[] {
  const off = switchedOffBy(machine);
  const managed = managedOnlyBy();
  const needsProject = !registered.some(({ file }) => file.startsWith(`${userFolderOf(machine)}/`));
  const untrusted = needsProject ? distrust(machine) : null;
  return [
    ...checkEvents(EVENTS, registered, faultOf),
    ...checkWorkspace(registered, machine.project ?? cwd),
    check('wiring', 'hooks are not switched off', off === null, off ?? 'features.hooks is not false'),
    check('wiring', 'hooks are not left to the administrator', managed === null, managed ?? 'they are not'),
    ...hookFilesOf(machine).flatMap(({ file, fault }) =>
      fault === null ? [] : [check('wiring', 'settings can be read', false, `${file}: ${fault}`)],
    ),
    checkTrust(machine),
    ...(needsProject
      ? [check('wiring', 'Codex trusts the project', untrusted === null, untrusted ?? 'it does')]
      : []),
    checkClient(client, asked, {
      title: `the client is known (${VERSION_FLOOR} or later)`,
      name: CLIENT,
      floor: VERSION_FLOOR,
    }),
  ];
}
