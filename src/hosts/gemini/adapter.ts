import type { HookReply, HostAdapter } from '../adapter.ts';
import type { HookInput } from '../shared/decode/hook-input.ts';
import { decodeInput } from './decode.ts';
import { encodeAfterTool, encodeNotice, encodeRefusal } from './encode.ts';
import { EVENTS, handleEvent } from './handle.ts';
import { HOST } from './tools.ts';

function failed(event: string | null, reason: string): HookReply {
  if (event === null || event === 'BeforeTool' || event === 'BeforeAgent')
    return encodeRefusal(reason, false);
  const answer = { context: null, alarm: reason };
  return event === 'AfterTool' ? encodeAfterTool(answer) : encodeNotice(answer);
}

/** Gemini CLI (hosts reference §5). */
export const gemini: HostAdapter = {
  host: HOST,
  projectVariables: ['GEMINI_PROJECT_DIR'],
  events: EVENTS,
  decode: decodeInput,
  handle: (input, engine) => handleEvent(input as HookInput, engine),
  failed,
};
