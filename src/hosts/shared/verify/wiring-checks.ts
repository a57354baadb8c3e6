import type { Client } from '../install/client.ts';
import { isAtLeast } from '../install/client.ts';
import { sameJson } from '../install/merge.ts';
import { type Check, check, skip, warn } from './check.ts';
import type { RegisteredHook, WiringFacts } from './verifier.ts';

function checkEvent(
  event: string,
  all: readonly RegisteredHook[],
  faultOf: (hook: RegisteredHook) => string | null,
): Check {
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

/** That every event reaches us once. `faultOf` says what is wrong with a registration, or null. */
export function checkEvents(
  events: readonly string[],
  registered: readonly RegisteredHook[],
  faultOf: (hook: RegisteredHook) => string | null,
): Check[] {
  return events.map((event) => checkEvent(event, registered, faultOf));
}

/** That the hooks guard this workspace and no other. */
export function checkWorkspace(registered: readonly RegisteredHook[], project: string): Check[] {
  const named = new Set(registered.flatMap(({ workspace }) => (workspace === null ? [] : [workspace])));
  return [...named]
    .filter((workspace) => workspace !== project)
    .map((workspace) => check('wiring', 'the hooks guard this workspace', false, `they guard ${workspace}`));
}

/** That the client is not older than the first version that can be governed. `title` says what it must know. */
export function checkClient(
  client: Client | null,
  asked: string | undefined,
  needs: { readonly title: string; readonly name: string; readonly floor: string },
): Check {
  const { title, name, floor } = needs;
  if (client === null)
    return asked === undefined
      ? skip('wiring', title, `no \`${name}\` on PATH; name it with --client`)
      : check('wiring', title, false, `${asked} cannot be executed`);
  if (client.version === null) return check('wiring', title, false, `${client.file} tells no version`);
  return check('wiring', title, isAtLeast(client.version, floor), `${client.version} (${client.file})`);
}

/** That a client started here loads the hooks of the project; those of the user hold wherever it is started. */
export function checkStart({ machine, registered, cwd }: WiringFacts, userFolder: string): Check[] {
  const { project } = machine;
  const isUsers = registered.some(({ file }) => file.startsWith(`${userFolder}/`));
  if (project === null || isUsers || cwd === project || !cwd.startsWith(`${project}/`)) return [];
  const seen = `a client started in ${cwd} loads no hooks of ${project}: start it in the workspace folder, or install with --user`;
  return [warn('wiring', 'started in the workspace folder', seen)];
}
