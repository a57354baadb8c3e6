import type { HookReply, HostAdapter } from '../adapter.ts';
import { decodeInput, HOST, type HookInput } from './decode.ts';
import { encodeRefusal } from './encode.ts';
import { EVENTS, handleEvent } from './handle.ts';

/** After these a failure can still be told to the agent; on the others the host takes exit code 2 for an error of its own. */
const HEARD = new Set(['PostToolUse', 'PostToolUseFailure', 'UserPromptSubmit']);

function failed(event: string | null, reason: string): HookReply {
  const refusal = encodeRefusal(reason, false);
  if (event === null || event === 'PreToolUse') return refusal;
  const stdout = `${JSON.stringify({ systemMessage: refusal.stderr.trim() })}\n`;
  return { stdout, stderr: refusal.stderr, code: HEARD.has(event) ? 2 : 0 };
}

/** Claude Code (hosts reference §3). */
export const claudeCode: HostAdapter = {
  host: HOST,
  projectVariables: ['CLAUDE_PROJECT_DIR'],
  events: EVENTS,
  decode: decodeInput,
  handle: (input, engine) => handleEvent(input as HookInput, engine),
  failed,
};
