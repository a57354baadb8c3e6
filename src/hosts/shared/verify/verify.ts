import { messageOf } from '../../../core/errors.ts';
import { isDirectory } from '../../../platform/files.ts';
import type { Client } from '../install/client.ts';
import type { Machine } from '../install/installer.ts';
import { checkBreakage } from './breakage-checks.ts';
import { checkCalls } from './call-checks.ts';
import { CAPABILITIES, type Capability, type Check, check } from './check.ts';
import { provenCapabilities } from './proofs.ts';
import { makeSandbox } from './sandbox.ts';
import { checkServer } from './server-checks.ts';
import type { HostVerifier, RegisteredHook } from './verifier.ts';

/**
 * How far a capability was proven. `adapter-verified`: what is registered answers rightly. `host-verified`: so it does,
 * and an end-to-end run of this very version of the client, on record with this release, obeyed such answers.
 */
interface Grade {
  readonly capability: Capability;
  readonly summary: string;
  readonly grade: 'host-verified' | 'adapter-verified' | 'failed' | 'not-tried';
  readonly passed: number;
  readonly tried: number;
}

export interface Verification {
  readonly ok: boolean;
  readonly grades: readonly Grade[];
  readonly checks: readonly Check[];
}

function gradeOf(capability: Capability, checks: readonly Check[], proven: ReadonlySet<Capability>): Grade {
  const own = checks.filter((one) => one.capability === capability);
  const tried = own.filter(({ status }) => status === 'passed' || status === 'failed');
  const passed = tried.filter(({ status }) => status === 'passed').length;
  const good = proven.has(capability) ? 'host-verified' : 'adapter-verified';
  const onlySkipped = tried.length === 0 && own.some(({ status }) => status === 'skipped');
  return {
    capability,
    summary: CAPABILITIES[capability],
    grade: onlySkipped ? 'not-tried' : passed > 0 && passed === tried.length ? good : 'failed',
    passed,
    tried: tried.length,
  };
}

/** What to verify. `scratch` is an empty folder that the caller removes afterwards. */
export interface Request {
  readonly verifier: HostVerifier;
  readonly machine: Machine;
  readonly client: Client | null;
  readonly asked: string | undefined;
  readonly cwd: string;
  readonly scratch: string;
}

async function tryCalls(request: Request, registered: readonly RegisteredHook[]): Promise<Check[]> {
  const { verifier, machine, scratch } = request;
  const sandbox = makeSandbox(scratch);
  const server = await checkServer(verifier, machine, sandbox);
  const missing = Object.values(verifier.events).filter(
    (event) => !registered.some((one) => one.event === event && one.start(sandbox.root) !== null),
  );
  const hook = registered.find(({ event }) => event === verifier.events.beforeTool);
  if (missing.length > 0 || !hook)
    return [
      ...server,
      check('handshake', 'calls are judged', false, `not tried: no usable hook for ${missing.join(', ')}`),
    ];
  return [
    ...(await checkCalls(verifier, sandbox, registered)),
    ...(await checkBreakage(verifier, sandbox, hook)),
    ...server,
  ];
}

/** Fires known-good and known-bad calls through what is installed, and grades what was proven. */
export async function verifyInstallation(request: Request): Promise<Verification> {
  const { verifier, machine, client, asked, cwd } = request;
  const registered = verifier.registered(machine);
  const checks = [...(await verifier.wiring({ machine, registered, client, asked, cwd }))];
  const { project } = machine;
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
  const proven = provenCapabilities(verifier.host, client?.version ?? null);
  const capabilities = Object.keys(CAPABILITIES) as Capability[];
  return {
    ok: checks.every(({ status }) => status !== 'failed'),
    grades: capabilities.map((capability) => gradeOf(capability, checks, proven)),
    checks,
  };
}
