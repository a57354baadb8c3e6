import type { HookReply, HostAdapter } from '../adapter.ts';
import { type CursorInput, decodeInput, HOST } from './decode.ts';
import { encodeBlockedPrompt, encodeContext, encodeNotice, encodeRefusal } from './encode.ts';
import { EVENTS, handleEvent } from './handle.ts';

function failed(event: string | null, reason: string): HookReply {
  const alarm = { alarm: reason, context: null };
  if (event === null || event === 'preToolUse' || event === 'beforeMCPExecution')
    return encodeRefusal(reason);
  if (event === 'beforeSubmitPrompt') return encodeBlockedPrompt(reason);
  return event.startsWith('postToolUse') ? encodeContext(alarm) : encodeNotice(alarm);
}

/** Cursor: its agent, its CLI and its SDK, which share one executor of hooks (hosts reference §9). */
export const cursor: HostAdapter = {
  host: HOST,
  projectVariables: ['CURSOR_PROJECT_DIR'],
  events: EVENTS,
  decode: decodeInput,
  handle: (input, engine) => handleEvent(input as CursorInput, engine),
  failed,
};
