import { messageOf } from '../../../../core/errors.ts';
import { isDirectory } from '../../../../platform/files.ts';
import { EVENTS } from '../../handle.ts';
import type { Client } from '../client.ts';
import { registeredIn } from '../guards.ts';
import { type Places, readSettings } from '../places.ts';
import { checkBreakage } from './breakage-checks.ts';
import { checkCalls } from './call-checks.ts';
import { CAPABILITIES, type Capability, type Check, check } from './check.ts';
import { makeSandbox } from './sandbox.ts';
import { checkServer } from './server-checks.ts';
import { checkWiring } from './wiring-checks.ts';

/** How far a capability was proven. What the client itself makes of an answer is proven by end-to-end runs only. */
interface Grade {
  readonly capability: Capability;
  readonly summary: string;
  readonly grade: 'adapter-verified' | 'failed';
  readonly passed: number;
  readonly tried: number;
}

export interface Verification {
  readonly ok: boolean;
  readonly grades: readonly Grade[];
  readonly checks: readonly Check[];
}

function gradeOf(capability: Capability, checks: readonly Check[]): Grade {
  const own = checks.filter((one) => one.capability === capability);
  const tried = own.filter(({ status }) => status === 'passed' || status === 'failed');
  const passed = tried.filter(({ status }) => status === 'passed').length;
  const good = passed > 0 && passed === tried.length;
  return {
    capability,
    summary: CAPABILITIES[capability],
    grade: good ? 'adapter-verified' : 'failed',
    passed,
    tried: tried.length,
  };
}

/** What to verify. `scratch` is an empty folder that the caller removes afterwards. */
export interface Request {
  readonly places: Places;
  readonly client: Client | null;
  readonly asked: string | undefined;
  readonly cwd: string;
  readonly scratch: string;
}

async function tryCalls(request: Request, registered: ReturnType<typeof registeredIn>): Promise<Check[]> {
  const sandbox = makeSandbox(request.scratch);
  const server = await checkServer(request.places, readSettings(request.places), sandbox);
  const missing = EVENTS.filter(
    (event) => !registered.some((one) => one.event === event && Array.isArray(one.handler.args)),
  );
  const hook = registered.find(({ event }) => event === 'PreToolUse');
  if (missing.length > 0 || !hook)
    return [
      ...server,
      check('handshake', 'calls are judged', false, `not tried: no usable hook for ${missing.join(', ')}`),
    ];
  return [...(await checkCalls(sandbox, registered)), ...(await checkBreakage(sandbox, hook)), ...server];
}

/** Fires known-good and known-bad calls through what is installed, and grades what was proven. */
export async function verifyInstallation(request: Request): Promise<Verification> {
  const settings = readSettings(request.places);
  const registered = registeredIn(settings);
  const checks = checkWiring({ ...request, settings, registered });
  const { project } = request.places;
  if (project !== null && !isDirectory(`${project}/.orchestration`))
    checks.push(
      check(
        'wiring',
        'the workspace has governance state',
        false,
        'no .orchestration: every call will be refused until `pactclaw init`',
      ),
    );
  try {
    checks.push(...(await tryCalls(request, registered)));
  } catch (error) {
    checks.push(check('fail-closed', 'calls can be tried', false, messageOf(error)));
  }
  const capabilities = Object.keys(CAPABILITIES) as Capability[];
  return {
    ok: checks.every(({ status }) => status !== 'failed'),
    grades: capabilities.map((capability) => gradeOf(capability, checks)),
    checks,
  };
}
