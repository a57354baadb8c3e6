import { isObject, type JsonObject } from '../../../core/json.ts';
import type { RunResult } from '../../../platform/run.ts';
import type { Machine } from '../../shared/install/installer.ts';
import { readObject } from '../../shared/install/json-file.ts';
import { faultOfWords } from '../../shared/registration.ts';
import { findServerIn } from '../../shared/server-entry.ts';
import { answerOf, otherwise, unanswered } from '../../shared/verify/answers.ts';
import { type Check, check, warn } from '../../shared/verify/check.ts';
import { startsProgram, workspaceIn } from '../../shared/verify/start.ts';
import type { HostVerifier, RegisteredHook, Verdict, WiringFacts } from '../../shared/verify/verifier.ts';
import { checkClient, checkEvents, checkStart, checkWorkspace } from '../../shared/verify/wiring-checks.ts';
import { EVENTS as HANDLED } from '../adapter.ts';
import { HOST } from '../decode.ts';
import { hooksFile, serverFile, settingsFiles, userFolder } from '../install/places.ts';
import { HOLES } from './holes.ts';
import { EVENTS, payloadFor, toolFor } from './payloads.ts';

/** The version whose behaviour is known (docs/hosts/copilot.md). */
const VERSION_FLOOR = '1.0.102';
/** The hook's own deadlines lie below it, so that the host never gives up first: it would run the call. */
const LATEST_ANSWER_S = 21;

function registered(machine: Machine): RegisteredHook[] {
  const files = [hooksFile(machine, 'project'), hooksFile(machine, 'user')].flatMap((file) => file ?? []);
  return files.flatMap((file) => {
    const { value } = readObject(file);
    return Object.entries(isObject(value?.hooks) ? value.hooks : {}).flatMap(([event, handlers]) =>
      (Array.isArray(handlers) ? handlers : []).filter(isObject).map((handler: JsonObject) => {
        const args = Array.isArray(handler.args) ? handler.args : null;
        return {
          file,
          event,
          handler,
          workspace: workspaceIn((args ?? []).map(String)),
          start: args === null ? () => null : startsProgram(String(handler.exec), args),
        };
      }),
    );
  });
}

/** What is wrong with one registration, or null: anything that lets a call pass unasked or unanswered. */
function faultOf({ event, handler }: RegisteredHook): string | null {
  const { type, exec, args, timeoutSec, matcher } = handler;
  if (type !== 'command') return `its type is ${String(type)}`;
  if (matcher !== undefined) return `its matcher ${JSON.stringify(matcher)} leaves calls out`;
  if (!Array.isArray(args)) return 'it has no args';
  if (!(typeof timeoutSec === 'number' && timeoutSec > LATEST_ANSWER_S))
    return `its timeout (${String(timeoutSec)} s) is not above ${LATEST_ANSWER_S} s: the client would run the call`;
  return faultOfWords(HOST, event, [exec, ...args]);
}

function checkPlace(facts: WiringFacts): Check[] {
  const { machine, registered: hooks } = facts;
  const own = userFolder(machine);
  if (machine.project === null || hooks.some(({ file }) => file.startsWith(`${own}/`))) return [];
  const untrusted =
    'not checked: until it is, the client loads no hooks of the project and runs every tool. --user holds everywhere';
  return [warn('wiring', 'the folder is trusted', untrusted), ...checkStart(facts, own)];
}

function checkWiring(facts: WiringFacts): Check[] {
  const { machine, registered: hooks, client, asked, cwd } = facts;
  const off = settingsFiles(machine).find((file) => Boolean(readObject(file).value?.disableAllHooks));
  return [
    ...checkEvents(HANDLED, hooks, faultOf),
    ...checkWorkspace(hooks, machine.project ?? cwd),
    check('wiring', 'hooks are not switched off', off === undefined, off ?? 'no disableAllHooks'),
    checkClient(client, asked, {
      title: `the client is ${VERSION_FLOOR} or later`,
      name: 'copilot',
      floor: VERSION_FLOOR,
    }),
    ...checkPlace(facts),
  ];
}

/** Any other exit code than 0 refuses; of the answer only the flat keys count. */
function verdictOf(result: RunResult): Verdict {
  const silent = unanswered(result);
  if (silent) return silent;
  const answer = answerOf(result);
  const reason = answer?.permissionDecisionReason;
  const text = typeof reason === 'string' ? reason : result.stderr;
  if (answer?.permissionDecision === 'deny' || result.code === 2) return { verdict: 'denied', text };
  return otherwise(result, answer);
}

/** GitHub Copilot CLI (docs/hosts/copilot.md). */
export const copilotVerifier: HostVerifier = {
  host: HOST,
  clients: ['copilot'],
  events: EVENTS,
  registered,
  wiring: checkWiring,
  // The project's entry counts before the user's.
  server: { find: (machine) => findServerIn([serverFile(machine, 'project'), serverFile(machine, 'user')]) },
  env: ({ root }) => ({ COPILOT_PROJECT_DIR: root, COPILOT_HOME: undefined, COPILOT_CLI: '1' }),
  payload: payloadFor,
  toolFor,
  verdictOf,
  wiringFiles: ['.github/hooks/pactclaw.json', '.mcp.json'],
  holes: HOLES,
};
