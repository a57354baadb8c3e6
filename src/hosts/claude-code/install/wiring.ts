import type { JsonObject } from '../../../core/json.ts';
import type { Wiring } from '../../shared/install/installer.ts';
import { serverFor as plainServer } from '../../shared/install/server.ts';

export { isOurServer, SERVER } from '../../shared/install/server.ts';

/** Above the hook's own deadline (20 s), so that the host never gives up before the hook has refused. */
const TIMEOUT_S = 30;
export const INNER_DEADLINE_S = 20;

/**
 * Variable with which the client ends a command at its time limit, where it would else move it to the background and
 * tell us that it has ended (F-1).
 */
export const NO_BACKGROUND: readonly string[] = ['env', 'CLAUDE_CODE_DISABLE_BACKGROUND_TASKS'];
const TOOL_EVENTS = new Set(['PreToolUse', 'PostToolUse', 'PostToolUseFailure']);

/** True for events on which a hook that fails must count as a refusal. On the others the host ignores the key, or (PreCompact) a refusal would only do harm. */
export function mustBlock(event: string): boolean {
  return TOOL_EVENTS.has(event) || event === 'UserPromptSubmit';
}

export function isToolEvent(event: string): boolean {
  return TOOL_EVENTS.has(event);
}

/** The hook entry of one event. With `args` the host starts the file itself: no shell and no profile in between. */
export function groupFor(event: string, wiring: Wiring): JsonObject {
  const place = wiring.workspace === null ? [] : ['--workspace', wiring.workspace];
  return {
    ...(isToolEvent(event) ? { matcher: '*' } : {}),
    hooks: [
      {
        type: 'command',
        command: `${wiring.install}/bin/pactclaw-hook`,
        args: [wiring.node, 'claude-code', ...place, '--event', event],
        timeout: TIMEOUT_S,
        ...(mustBlock(event) ? { onFailure: 'block' } : {}),
      },
    ],
  };
}

/** The server entry. Always loaded: a tool that the agent must search for first is one it may never find. */
export function serverFor(wiring: Wiring): JsonObject {
  return { ...plainServer(wiring), alwaysLoad: true };
}
