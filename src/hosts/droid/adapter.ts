import type { HookReply, HostAdapter } from '../adapter.ts';
import { encodeNotice, encodePostToolUse, encodeRefusal } from '../claude-code/encode.ts';
import type { HookInput } from '../shared/decode/hook-input.ts';
import { refusalReply } from '../shared/encode/reply.ts';
import { decodeInput } from './decode.ts';
import { EVENTS, handleEvent } from './handle.ts';
import { HOST } from './tools.ts';

function failed(event: string | null, reason: string): HookReply {
  if (event === null || event === 'PreToolUse') return encodeRefusal(reason, false);
  if (event === 'UserPromptSubmit') return refusalReply({ decision: 'block', reason }, reason);
  const answer = { context: null, alarm: reason };
  return event === 'PostToolUse' ? encodePostToolUse(event, answer) : encodeNotice(answer);
}

/** Factory droid (hosts reference §15). Adapter-verified only: the client wants an account. */
export const droid: HostAdapter = {
  host: HOST,
  projectVariables: ['FACTORY_PROJECT_DIR', 'DROID_PROJECT_DIR'],
  events: EVENTS,
  decode: decodeInput,
  handle: (input, engine) => handleEvent(input as HookInput, engine),
  failed,
};
