import { isObject, type JsonObject } from '../../../core/json.ts';
import type { Machine } from '../../shared/install/installer.ts';
import { readObject } from '../../shared/install/json-file.ts';
import { specificVerdict } from '../../shared/verify/answers.ts';
import { type Check, check, warn } from '../../shared/verify/check.ts';
import { lineHooks } from '../../shared/verify/line-hooks.ts';
import { redirected, startsGuarded } from '../../shared/verify/start.ts';
import type { HostVerifier, RegisteredHook, RegisteredServer } from '../../shared/verify/verifier.ts';
import { HOST } from '../decode.ts';
import { inForce, serverOffBy } from '../install/guards.ts';
import { claudePlaces } from '../install/installer.ts';
import { deciding, readSettings, serverPlace } from '../install/places.ts';
import { isShared, sharedProgram, sharedWords } from '../install/shared-line.ts';
import { isOurServer, lineOf, SERVER } from '../install/wiring.ts';
import { HOLES } from './holes.ts';
import { EVENTS, payloadFor, toolFor } from './payloads.ts';
import { checkWiring } from './wiring.ts';

/** Our hooks. A shared line is started with the launcher that it would find in the project itself. */
function registered(machine: Machine): RegisteredHook[] {
  const project = machine.project ?? machine.home;
  return lineHooks(inForce(readSettings(claudePlaces(machine))), lineOf, (line) => {
    const start = startsGuarded(line);
    const [launcher] = sharedWords(line, project)?.words ?? [];
    return (root, node, other) => start(root, node, other ?? launcher);
  });
}

/** The server entry that counts: a project's local one before the shared one before the user's. */
function findServer(machine: Machine): (RegisteredServer & { readonly entry: JsonObject }) | null {
  for (const scope of ['local', 'project', 'user'] as const) {
    const place = serverPlace(claudePlaces(machine), scope);
    if (place === null) continue;
    let at: unknown = readObject(place.file).value;
    for (const key of [...place.path, SERVER]) at = isObject(at) ? at[key] : undefined;
    if (!isObject(at)) continue;
    const { command, args } = at;
    const words = Array.isArray(args) ? args.map(String) : [];
    const own = isShared([command, ...words]) ? sharedProgram(SERVER, machine.project ?? machine.home) : null;
    const found = words.map((word) => (own !== null && word === SERVER ? own : word));
    const start = (root: string) => ({ file: String(command), args: redirected(found, root) });
    return { file: place.file, ours: isOurServer(at), start, entry: at };
  }
  return null;
}

function checkServerEntry(machine: Machine): Check[] {
  const settings = readSettings(claudePlaces(machine));
  const found = findServer(machine);
  const off = serverOffBy(settings);
  const checks = [
    check(
      'server',
      'the server is not switched off',
      off === null,
      off === null ? 'not in disabledMcpjsonServers' : off,
    ),
  ];
  if (found?.entry.alwaysLoad !== true)
    checks.push(
      warn(
        'server',
        'the tool is always loaded',
        'alwaysLoad is not set: the agent must search for the tool first',
      ),
    );
  if (found?.file.endsWith('/.mcp.json')) {
    const approved = deciding(settings, 'enabledMcpjsonServers')?.value;
    const all = deciding(settings, 'enableAllProjectMcpServers')?.value === true;
    if (!all && !(Array.isArray(approved) && approved.includes(SERVER)))
      checks.push(warn('server', 'the server is approved', 'an interactive session will ask you once'));
  }
  return checks;
}

/** Claude Code (docs/hosts/claude-code.md). */
export const claudeCodeVerifier: HostVerifier = {
  host: HOST,
  clients: ['claude'],
  events: EVENTS,
  registered,
  wiring: checkWiring,
  server: { find: findServer, checks: checkServerEntry },
  env: ({ root }) => ({ CLAUDE_PROJECT_DIR: root, CLAUDE_CONFIG_DIR: undefined, CLAUDECODE: '1' }),
  payload: payloadFor,
  toolFor,
  verdictOf: specificVerdict,
  wiringFiles: ['.claude/settings.local.json', '.claude/settings.json', '.mcp.json'],
  guarded: true,
  holes: HOLES,
};
