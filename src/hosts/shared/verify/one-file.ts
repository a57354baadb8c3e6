import type { JsonObject } from '../../../core/json.ts';
import { isObject } from '../../../core/json.ts';
import { isExecutable } from '../../../platform/run.ts';
import { guardedLine, withoutGuard } from '../install/guarded-line.ts';
import type { Machine } from '../install/installer.ts';
import type { Off } from '../install/layered-guards.ts';
import { type Places, readSettings, serverOffBy } from '../install/layered-settings.ts';
import type { OneFileHost } from '../install/one-file.ts';
import { isOurServer, SERVER } from '../install/server.ts';
import { hooksIn, type SettingsFile, settingAt } from '../install/settings-files.ts';
import { shellWords } from '../install/shell-line.ts';
import { type Check, check, warn } from './check.ts';
import { redirected, startsLine, workspaceIn } from './start.ts';
import type { RegisteredHook, RegisteredServer, WiringFacts } from './verifier.ts';
import { checkClient, checkEvents, checkWorkspace } from './wiring-checks.ts';

/** The launcher ends the hook at the latest then, in the host's unit; above it the host gives up first and runs the call. */
const LATEST_ANSWER_S = 21;

/** Starts a command line with another workspace or Node in it, guarded where it was. */
export function startsGuarded(line: string) {
  const bare = withoutGuard(line);
  const start = startsLine(bare.line);
  return (root: string, node?: string, launcher?: string) => {
    const plain = start(root, node, launcher);
    const words = plain === null ? null : shellWords(plain.args[1] ?? '');
    if (plain === null || words === null || !bare.guarded) return plain;
    return { file: plain.file, args: ['-c', guardedLine(words)] };
  };
}

/** Hooks of ours in settings that the host merges, each a command line for a shell. */
export function lineHooks(
  settings: readonly SettingsFile[],
  lineOf = ({ command }: JsonObject) => String(command),
  startOf: (line: string) => RegisteredHook['start'] = startsGuarded,
): RegisteredHook[] {
  return hooksIn(settings).map(({ file, event, matcher, handler }) => {
    const line = lineOf(handler);
    return {
      file,
      event,
      handler: { matcher: (matcher ?? null) as JsonObject[string], handler },
      workspace: workspaceIn(shellWords(withoutGuard(line).line) ?? []),
      start: startOf(line),
    };
  });
}

/** Hooks of ours in all settings of a host. */
export function registeredInOneFile(places: Places): RegisteredHook[] {
  return lineHooks(readSettings(places));
}

/** What is wrong with one registration, or null: anything that lets a call pass unasked or unanswered. */
export function faultOfLine(host: Pick<OneFileHost, 'host' | 'events'>, perSecond: number) {
  return ({ event, handler: entry }: RegisteredHook): string | null => {
    const wanted = host.events.find((one) => one.event === event);
    const handler = isObject(entry.handler) ? entry.handler : {};
    const { matcher } = entry;
    const { type, command, timeout } = handler;
    if (type !== 'command') return `its type is ${String(type)}`;
    const all = matcher === null || matcher === '' || matcher === '*';
    if (!all && matcher !== wanted?.matcher)
      return `its matcher ${JSON.stringify(matcher)} does not cover all`;
    if (!(typeof timeout === 'number' && timeout > LATEST_ANSWER_S * perSecond))
      return `its timeout (${String(timeout)}) is not above ${LATEST_ANSWER_S * perSecond}: the client would run the call`;
    const { line, guarded } = withoutGuard(String(command));
    if (wanted?.refuses && !guarded) return 'a launcher that is killed would let the call run; install again';
    const words = shellWords(line) ?? [];
    const [launcher, node, named] = words;
    if (launcher === undefined || !isExecutable(launcher)) return `${launcher ?? line} cannot be executed`;
    if (node === undefined || !isExecutable(node)) return `Node is not at ${String(node)}`;
    if (named !== host.host) return `it is registered for host ${String(named)}`;
    return words[words.indexOf('--event') + 1] === event ? null : 'it does not name its event';
  };
}

/** What differs from host to host in the wiring. */
interface WiringOf {
  readonly registration: OneFileHost;
  readonly places: (machine: Machine) => Places;
  /** The host's units of time in a second. */
  readonly perSecond: number;
  readonly floor: string;
  /** What switches hooks off; null where nothing does. */
  readonly switchedOff: (settings: readonly SettingsFile[]) => Off | null;
  /** Whether the folder is trusted; null where nobody has said so. */
  readonly trusted: (places: Places, settings: readonly SettingsFile[], project: string) => boolean | null;
}

/** Reads the settings as the host merges them and checks that no event gets by. Starts nothing. */
export function checkOneFileWiring(of: WiringOf) {
  return ({ machine, registered, client, asked, cwd }: WiringFacts): Check[] => {
    const places = of.places(machine);
    const settings = readSettings(places);
    const off = of.switchedOff(settings);
    const { project } = places;
    const isUsers = registered.some(({ file }) => file.startsWith(`${places.user}/`));
    return [
      ...checkEvents(
        of.registration.events.map(({ event }) => event),
        registered,
        faultOfLine(of.registration, of.perSecond),
      ),
      ...checkWorkspace(registered, project ?? cwd),
      check(
        'wiring',
        'hooks are not switched off',
        off === null,
        off === null ? 'nothing does' : `${off.key} in ${off.file}`,
      ),
      ...settings.flatMap(({ file, fault }) =>
        fault === null ? [] : [warn('wiring', 'settings can be read', `${file}: ${fault}`)],
      ),
      checkClient(client, asked, {
        title: `the client is ${of.floor} or later`,
        name: of.registration.host,
        floor: of.floor,
      }),
      ...(project !== null && of.trusted(places, settings, project) !== true
        ? [
            warn(
              'wiring',
              'the folder is trusted',
              'not yet: until it is, the client loads no hooks there. Start it once in the folder and accept it',
            ),
          ]
        : []),
      ...(project !== null && !isUsers && cwd !== project && cwd.startsWith(`${project}/`)
        ? [
            warn(
              'wiring',
              'started in the workspace folder',
              `a client started in ${cwd} loads no hooks of ${project}: start it in the workspace folder, or install with --user`,
            ),
          ]
        : []),
    ];
  };
}

/** The server entry that counts, and what may keep it from starting. */
export function serverInOneFile(placesOf: (machine: Machine) => Places) {
  return {
    find(machine: Machine): RegisteredServer | null {
      for (const { file, value } of readSettings(placesOf(machine))) {
        const entry = settingAt(value, ['mcpServers', SERVER]);
        if (!isObject(entry)) continue;
        const words = Array.isArray(entry.args) ? entry.args.map(String) : [];
        const start = (root: string) => ({ file: String(entry.command), args: redirected(words, root) });
        return { file, ours: isOurServer(entry), start };
      }
      return null;
    },
    checks(machine: Machine): Check[] {
      const off = serverOffBy(readSettings(placesOf(machine)));
      return [check('server', 'the server is not switched off', off === null, off ?? 'nothing does')];
    },
  };
}
