import type { HookReply, HostAdapter } from '../adapter.ts';
import { type CopilotInput, decodeInput, HOST } from './decode.ts';
import { encodeBlockedPrompt, encodeContext, encodeNotice, encodeRefusal } from './encode.ts';
import { EVENTS, handleEvent } from './handle.ts';

function failed(event: string | null, reason: string): HookReply {
  const alarm = { alarm: reason, context: null };
  if (event === null || event === 'preToolUse') return encodeRefusal(reason);
  if (event === 'userPromptSubmitted') return encodeBlockedPrompt(reason);
  return event.startsWith('postToolUse') ? encodeContext(alarm) : encodeNotice(alarm);
}

/** GitHub Copilot CLI, in the camelCase dialect of its hooks (hosts reference §8). */
export const copilot: HostAdapter = {
  host: HOST,
  projectVariables: ['COPILOT_PROJECT_DIR'],
  events: EVENTS,
  decode: decodeInput,
  handle: (input, engine) => handleEvent(input as CopilotInput, engine),
  failed,
};
