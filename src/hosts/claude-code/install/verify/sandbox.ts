import { isObject, type JsonObject } from '../../../../core/json.ts';
import { layoutOf } from '../../../../core/layout.ts';
import { initWorkspace } from '../../../../orchestration/init.ts';
import { replaceFile } from '../../../../platform/durable-files.ts';
import { makeDirectory } from '../../../../platform/files.ts';
import { type RunResult, run } from '../../../../platform/run.ts';
import type { Registered } from '../guards.ts';

/** A workspace and a home that exist for one verification, so that nothing is recorded in the real ones. */
export interface Sandbox {
  readonly root: string;
  readonly home: string;
}

export const INTENT = 'VERIFY-001';
export const IN_SCOPE = 'src/verify/inside.txt';

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

/** The registered arguments with the sandbox in place of the workspace. */
export function redirected(args: readonly unknown[], root: string): string[] {
  const words = args.map(String);
  const at = words.indexOf('--workspace');
  return at < 0 ? words : words.with(at + 1, root);
}

/** Environment of a hook in the sandbox: as the host sets it, with nothing that leads back to the real workspace. */
export function sandboxEnv({ root, home }: Sandbox): Record<string, string | undefined> {
  return {
    HOME: home,
    USERPROFILE: home,
    CLAUDE_PROJECT_DIR: root,
    CLAUDE_CONFIG_DIR: undefined,
    PACTCLAW_WORKSPACE: undefined,
    CLAUDECODE: '1',
  };
}

/** A payload as the host sends it (recorded: fixtures/hosts/claude-code). */
export function payload(sandbox: Sandbox, event: string, rest: JsonObject): JsonObject {
  return {
    session_id: 'pactclaw-verify',
    transcript_path: `${sandbox.home}/.claude/projects/verify/pactclaw-verify.jsonl`,
    cwd: sandbox.root,
    permission_mode: 'default',
    hook_event_name: event,
    ...rest,
  };
}

/** How one call of a hook may differ from the registered one. */
export interface Variation {
  readonly input?: string | null;
  readonly node?: string;
  readonly timeoutMs?: number;
  readonly started?: (pid: number) => Promise<void>;
}

/** Runs the very command that is registered for an event, in the sandbox. */
export function fire(
  sandbox: Sandbox,
  { handler }: Registered,
  input: JsonObject,
  other: Variation = {},
): Promise<RunResult> {
  const args = redirected(Array.isArray(handler.args) ? handler.args : [], sandbox.root);
  if (other.node !== undefined) args[0] = other.node;
  return run(String(handler.command), args, {
    cwd: sandbox.root,
    env: sandboxEnv(sandbox),
    input: other.input === undefined ? `${JSON.stringify(input)}\n` : other.input,
    timeoutMs: other.timeoutMs ?? 30_000,
    ...(other.started ? { started: other.started } : {}),
  });
}

/** The host's reading of an answer to PreToolUse (its hooks reference, and runs of the real client). */
export function verdictOf(result: RunResult): { verdict: 'denied' | 'runs' | 'failed'; text: string } {
  if (result.failure !== null)
    return { verdict: 'failed', text: `it could not be started (${result.failure})` };
  if (result.timedOut) return { verdict: 'failed', text: 'it did not answer in time' };
  let output: unknown = null;
  try {
    output = JSON.parse(result.stdout);
  } catch {
    // What is no JSON decides nothing.
  }
  const specific = isObject(output) && isObject(output.hookSpecificOutput) ? output.hookSpecificOutput : {};
  const reason = specific.permissionDecisionReason;
  const text = typeof reason === 'string' ? reason : result.stderr;
  if (specific.permissionDecision === 'deny' || result.code === 2) return { verdict: 'denied', text };
  if (result.code === 0 && isObject(output)) return { verdict: 'runs', text: 'allowed' };
  return { verdict: 'failed', text: `it ended with code ${result.code ?? result.signal} and no answer` };
}
