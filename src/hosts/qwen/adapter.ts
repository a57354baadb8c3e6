import type { HookReply, HostAdapter } from '../adapter.ts';
import type { HookInput } from '../shared/decode/hook-input.ts';
import { decodeInput } from './decode.ts';
import { encodeBlockedPrompt, encodeContext, encodeNotice, encodeRefusal } from './encode.ts';
import { EVENTS, handleEvent } from './handle.ts';
import { HOST } from './tools.ts';

/** Events after which the agent can still be told of a failure. */
const HEARD = new Set(['PostToolUse', 'PostToolUseFailure']);

function failed(event: string | null, reason: string): HookReply {
  if (event === null || event === 'PreToolUse') return encodeRefusal(reason);
  if (event === 'UserPromptSubmit') return encodeBlockedPrompt(reason);
  const answer = { context: null, alarm: reason };
  return HEARD.has(event) ? encodeContext(event, answer) : encodeNotice(answer);
}

/** Qwen Code (hosts reference §7). */
export const qwen: HostAdapter = {
  host: HOST,
  projectVariables: ['QWEN_PROJECT_DIR'],
  events: EVENTS,
  decode: decodeInput,
  handle: (input, engine) => handleEvent(input as HookInput, engine),
  failed,
};
