import type { JsonObject } from '../../../core/json.ts';
import { layoutOf } from '../../../core/layout.ts';
import { initWorkspace } from '../../../orchestration/init.ts';
import { replaceFile } from '../../../platform/durable-files.ts';
import { makeDirectory } from '../../../platform/files.ts';
import { type RunResult, run } from '../../../platform/run.ts';
import type { HostVerifier, RegisteredHook, Sandbox } from './verifier.ts';

export const INTENT = 'VERIFY-001';
export const IN_SCOPE = 'src/verify/inside.txt';
/** The session that all trials belong to. */
export const SESSION = 'pactclaw-verify';

const INTENTS = `active_intents:
  - id: ${INTENT}
    name: Verification of the wiring
    status: IN_PROGRESS
    owned_scope:
      - src/verify/**
    constraints: []
    acceptance_criteria: []
`;

/** Lays a workspace down in an empty folder, as `pactclaw init` does, with one intent of our own. */
export function makeSandbox(folder: string): Sandbox {
  const sandbox = { root: `${folder}/project`, home: `${folder}/home` };
  const layout = layoutOf(sandbox.root);
  for (const place of [layout.sidecar, `${sandbox.root}/src/verify`, sandbox.home]) makeDirectory(place);
  replaceFile(layout.intents, INTENTS, { durable: false });
  initWorkspace(layout, { userFolder: `${sandbox.home}/.pactclaw`, files: [] });
  return sandbox;
}

/** Environment of a hook in the sandbox: as the host sets it, with nothing that leads back to the real workspace. */
export function sandboxEnv(verifier: HostVerifier, sandbox: Sandbox): Record<string, string | undefined> {
  return {
    HOME: sandbox.home,
    PACTCLAW_SERVE: 'off',
    USERPROFILE: sandbox.home,
    PACTCLAW_WORKSPACE: undefined,
    ...verifier.env(sandbox),
  };
}

/** How one call of a hook may differ from the registered one. */
export interface Variation {
  readonly input?: string | null;
  readonly node?: string;
  readonly launcher?: string;
  readonly timeoutMs?: number;
  readonly started?: (pid: number) => Promise<void>;
}

const NOT_STARTED: RunResult = {
  code: null,
  signal: null,
  stdout: '',
  stderr: 'the registered command is more than a program and its words',
  timedOut: false,
  failure: 'ENOEXEC',
};

/** Runs the very command that is registered for an event, in the sandbox. */
export async function fire(
  verifier: HostVerifier,
  sandbox: Sandbox,
  hook: RegisteredHook,
  input: JsonObject,
  other: Variation = {},
): Promise<RunResult> {
  const start = hook.start(sandbox.root, other.node, other.launcher);
  if (start === null) return NOT_STARTED;
  return run(start.file, start.args, {
    cwd: sandbox.root,
    env: sandboxEnv(verifier, sandbox),
    input: other.input === undefined ? `${JSON.stringify(input)}\n` : other.input,
    timeoutMs: other.timeoutMs ?? 30_000,
    ...(other.started ? { started: other.started } : {}),
  });
}
