import type { HookReply, HostAdapter } from '../adapter.ts';
import { type ClineInput, decodeInput, HOST } from './decode.ts';
import { encodeCancel, encodeNotice } from './encode.ts';
import { EVENTS, handleEvent } from './handle.ts';

/** Events on which the host waits for the answer; there the run ends, for nothing else refuses for certain. */
const WAITED_FOR = new Set(['PreToolUse', 'PostToolUse', 'UserPromptSubmit']);

function failed(event: string | null, reason: string): HookReply {
  if (event === null || WAITED_FOR.has(event)) return encodeCancel(reason);
  return encodeNotice({ alarm: reason, context: null });
}

/** Cline CLI (hosts reference §11). */
export const cline: HostAdapter = {
  host: HOST,
  projectVariables: [],
  events: EVENTS,
  decode: decodeInput,
  handle: (input, engine) => handleEvent(input as ClineInput, engine),
  failed,
};
