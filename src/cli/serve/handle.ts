import { messageOf } from '../../core/errors.ts';
import { FOLDER_VARIABLES } from '../../core/footprints/index.ts';
import type { HookEngine } from '../../hooks/engine.ts';
import { answerEvent } from '../../hosts/answer-event.ts';
import { ADAPTER_NAMES, loadAdapter } from '../../hosts/index.ts';
import { withVariables } from '../../platform/home.ts';
import { BodyTooLarge, type HttpService, type IncomingCall } from '../../platform/http-server.ts';

/** Longest message of a host, in bytes. */
const MAX_BODY = 64 << 20;

/** What the engine's HTTP door is made of. */
export interface Resident {
  /** Shows a client that the answer is the engine's. */
  readonly proof: string;
  readonly engineAt: (workspace: string) => HookEngine;
  /** True once the installed program is not the one that runs: then others must answer. */
  readonly outdated: () => boolean;
  readonly status: () => object;
  readonly stop: () => void;
  /** An event of a workspace was answered, in so many milliseconds. */
  readonly answered: (ms: number, workspace: string) => void;
  readonly now: () => number;
}

/** An answer as status and text. */
type Answer = readonly [status: number, text: string];

/** Runs `work` with the variables that the hook has handed on, each as a header of its own. */
function asTheHook<T>({ headers }: IncomingCall, work: () => T): T {
  const named = FOLDER_VARIABLES.map((name) => [name, headers[`x-pactclaw-env-${name.toLowerCase()}`]]);
  const variables = named.filter(([, value]) => typeof value === 'string');
  return variables.length === 0 ? work() : withVariables(Object.fromEntries(variables), work);
}

/** Answers one event of a host: first line the exit code, second what goes to standard output, then standard error. */
async function answerHook(
  call: IncomingCall,
  host: string,
  query: URLSearchParams,
  resident: Resident,
): Promise<Answer> {
  const workspace = query.get('workspace') ?? '';
  if (!ADAPTER_NAMES.includes(host) || !workspace.startsWith('/'))
    return [404, 'unknown host, or no workspace named\n'];
  const message = await call.body(MAX_BODY);
  const begun = resident.now();
  const read = () => Promise.resolve(message);
  const engineFor = () => resident.engineAt(workspace);
  const adapter = await loadAdapter(host);
  const { stdout, stderr, code } = await asTheHook(call, () =>
    answerEvent(adapter, query.get('event'), read, engineFor),
  );
  resident.answered(resident.now() - begun, workspace);
  // A client that reads by lines must find each part where it looks for it; no answer of a host has several.
  return [200, `${code}\n${stdout.trimEnd().replaceAll('\n', ' ')}\n${stderr}`];
}

/** The answer to one request that was admitted. Throws when its body cannot be had. */
export async function answerRequest(call: IncomingCall, resident: Resident): Promise<Answer> {
  const { pathname, searchParams } = new URL(call.target, 'http://localhost');
  const [, version, what, name] = pathname.split('/');
  const asked = `${call.method} ${version}/${what}`;
  if (asked === 'GET v1/status') return [200, `${JSON.stringify(resident.status())}\n`];
  if (asked === 'POST v1/stop') {
    resident.stop();
    return [200, 'stopping\n'];
  }
  if (asked !== 'POST v1/hook' || name === undefined) return [404, 'unknown path\n'];
  if (!resident.outdated()) return answerHook(call, name, searchParams, resident);
  resident.stop();
  return [503, 'another version is installed now\n'];
}

/** Every request of the resident engine. A client that waits to be let go on is shown the proof before it sends. */
export function residentService(resident: Resident): HttpService {
  const proof = { 'x-pactclaw-proof': resident.proof };
  return {
    refusal: (_status, why) => ({ error: why }),
    interim: () => (resident.outdated() ? null : proof),
    serve: async (call, reply) => {
      const [status, text] = await answerRequest(call, resident).catch((error): Answer => {
        if (reply.signal.aborted || !(error instanceof BodyTooLarge)) throw error;
        return [413, `${messageOf(error)}\n`];
      });
      reply.refuse(status, { ...proof, 'content-type': 'text/plain; charset=utf-8' }, text);
    },
  };
}
