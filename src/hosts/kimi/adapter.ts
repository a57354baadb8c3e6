import type { HostAdapter } from '../adapter.ts';
import type { HookInput } from '../shared/decode/hook-input.ts';
import { decodeInput } from './decode.ts';
import { encodeNotice, encodeRefusal } from './encode.ts';
import { EVENTS, handleEvent } from './handle.ts';
import { HOST } from './tools.ts';

/** Events whose failing hook must refuse; on the others exit code 2 would keep the agent going, or mean nothing. */
export const DECIDING: ReadonlySet<string> = new Set(['PreToolUse', 'UserPromptSubmit']);

/** Kimi Code CLI (vendor's hooks page, and its program 2.1.0). */
export const kimi: HostAdapter = {
  host: HOST,
  projectVariables: [],
  events: EVENTS,
  decode: decodeInput,
  handle: (input, engine) => handleEvent(input as HookInput, engine),
  failed: (event, reason) =>
    event === null || DECIDING.has(event)
      ? encodeRefusal(reason)
      : encodeNotice({ context: null, alarm: reason }),
};
