import { claudeCodeFootprint } from '../../../core/footprints/claude-code.ts';
import type { JsonObject } from '../../../core/json.ts';
import type { Wiring } from '../../shared/install/installer.ts';
import { serverFor as plainServer } from '../../shared/install/server.ts';
import { shellLine } from '../../shared/install/shell-line.ts';
import { commandFor } from '../../shared/registration.ts';
import { HOST } from '../decode.ts';
import { SHARED_SERVER, sharedLine } from './shared-line.ts';

export { isOurServer, SERVER } from '../../shared/install/server.ts';

/** Above the hook's own deadline (20 s), so that the host never gives up before the hook has refused. */
const TIMEOUT_S = 30;
export const INNER_DEADLINE_S = 20;

/**
 * Variable with which the client ends a command at its time limit, where it would else move it to the background and
 * tell us that it has ended (F-1).
 */
export const NO_BACKGROUND: readonly string[] = ['env', 'CLAUDE_CODE_DISABLE_BACKGROUND_TASKS'];

/** The host's seam, and what the program there must know: each a variable of the settings' `env`. */
export const SEAM: Readonly<Record<'program' | 'workspace' | 'node', readonly string[]>> = {
  program: ['env', claudeCodeFootprint.seam?.variable ?? ''],
  workspace: ['env', 'PACTCLAW_WORKSPACE'],
  node: ['env', 'PACTCLAW_NODE'],
};
const TOOL_EVENTS = new Set(['PreToolUse', 'PostToolUse', 'PostToolUseFailure']);

/** True for events on which a hook that fails must count as a refusal. On the others the host ignores the key, or (PreCompact) a refusal would only do harm. */
export function mustBlock(event: string): boolean {
  return TOOL_EVENTS.has(event) || event === 'UserPromptSubmit';
}

export function isToolEvent(event: string): boolean {
  return TOOL_EVENTS.has(event);
}

/**
 * The hook entry of one event: a line for the host's shell. Clients before 2.1.139 know no `args`, and those before
 * 2.1.295 no `onFailure`: there the guard in the line refuses when the launcher is gone (U-15). `shared`: for a file that
 * git tracks.
 */
export function groupFor(event: string, wiring: Wiring, shared: boolean): JsonObject {
  return {
    ...(isToolEvent(event) ? { matcher: '*' } : {}),
    hooks: [
      {
        type: 'command',
        command: shared
          ? sharedLine(event, mustBlock(event))
          : commandFor(HOST, event, wiring, mustBlock(event)),
        timeout: TIMEOUT_S,
        ...(mustBlock(event) ? { onFailure: 'block' } : {}),
      },
    ],
  };
}

/** The command line of a handler. Earlier installations have its words in `args`, for a client that starts the file itself. */
export function lineOf({ command, args }: JsonObject): string {
  return Array.isArray(args) ? shellLine([command, ...args].map(String)) : String(command);
}

/** The server entry. Always loaded: a tool that the agent must search for first is one it may never find. */
export function serverFor(wiring: Wiring, shared: boolean): JsonObject {
  const start = shared ? { ...SHARED_SERVER, args: [...SHARED_SERVER.args] } : plainServer(wiring);
  return { ...start, alwaysLoad: true };
}
