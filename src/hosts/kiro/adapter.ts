import type { HostAdapter } from '../adapter.ts';
import type { HookInput } from '../shared/decode/hook-input.ts';
import { decodeInput } from './decode.ts';
import { EVENTS, handleEvent, refusal, told } from './handle.ts';
import { HOST } from './tools.ts';

/** Triggers whose failing hook must refuse. */
export const DECIDING: ReadonlySet<string> = new Set(['PreToolUse', 'UserPromptSubmit']);

/** Kiro's hook files of version 1 (hosts reference §13). Adapter-verified only: the client wants an account. */
export const kiro: HostAdapter = {
  host: HOST,
  projectVariables: [],
  events: EVENTS,
  decode: decodeInput,
  handle: (input, engine) => handleEvent(input as HookInput, engine),
  failed: (event, reason) =>
    event === null || DECIDING.has(event) ? refusal(reason) : told({ context: null, alarm: reason }),
};
