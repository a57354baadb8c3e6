import type { HookReply, HostAdapter } from '../adapter.ts';
import { decodeInput, type HookInput } from './decode.ts';
import { encodeRefusal } from './encode.ts';
import { EVENTS, handleEvent } from './handle.ts';
import { HOST } from './tools.ts';

/** After these a failure can still be told to the agent; on the others exit code 2 would keep it going for ever. */
const HEARD = new Set(['PostToolUse', 'UserPromptSubmit']);

function failed(event: string | null, reason: string): HookReply {
  const refusal = encodeRefusal(reason);
  if (event === null || event === 'PreToolUse') return refusal;
  const stdout = `${JSON.stringify({ systemMessage: refusal.stderr.trim() })}\n`;
  return { stdout, stderr: refusal.stderr, code: HEARD.has(event) ? 2 : 0 };
}

/** Codex CLI (docs/hosts/codex.md). It names its project in no variable of a hook. */
export const codex: HostAdapter = {
  host: HOST,
  projectVariables: [],
  events: EVENTS,
  decode: decodeInput,
  endings: () => null,
  handle: (input, engine) => handleEvent(input as HookInput, engine),
  failed,
};
