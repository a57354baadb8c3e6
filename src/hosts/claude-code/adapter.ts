import type { JsonObject } from '../../core/json.ts';
import type { HookReply, HostAdapter } from '../adapter.ts';
import { CLAUDE_EVENTS, claudeShaped } from '../shared/claude-shaped.ts';
import { isByHuman } from '../shared/decode/prompt.ts';
import { adapterOf, endAt, goingOn } from '../shared/hook-host.ts';
import { CALLS } from './decode.ts';
import { ANSWERS, encodeRefusal } from './encode.ts';
import { endingsIn } from './endings.ts';
import { transcriptOf } from './transcript.ts';

/** Prompt sources that are not a human's word: the host's own schedule (hooks reference, UserPromptSubmit). */
const NOT_HUMAN = new Set(['loop_wakeup', 'schedule_wakeup', 'poll_event', 'system']);

/** True for the words of a human: the client tells the source of most prompts of its own, and writes others without one. */
function byHuman({ source, prompt }: JsonObject): boolean {
  return !(typeof source === 'string' && NOT_HUMAN.has(source)) && isByHuman(prompt);
}

/** After these a failure can still be told to the agent; on the others the host takes exit code 2 for an error of its own. */
const HEARD = new Set(['PostToolUse', 'PostToolUseFailure', 'UserPromptSubmit']);

function failed(event: string | null, reason: string): HookReply {
  const refusal = encodeRefusal(reason, false);
  if (event === null || event === 'PreToolUse') return refusal;
  const stdout = `${JSON.stringify({ systemMessage: refusal.stderr.trim() })}\n`;
  return { stdout, stderr: refusal.stderr, code: HEARD.has(event) ? 2 : 0 };
}

/** Claude Code (docs/hosts/claude-code.md). */
export const claudeCode: HostAdapter = {
  ...adapterOf(
    claudeShaped({
      ...CALLS,
      projectVariables: ['CLAUDE_PROJECT_DIR'],
      endOf: goingOn(endAt('tool_response', 'error')),
      transcript: transcriptOf,
      byHuman: ({ raw }) => byHuman(raw),
      endings: endingsIn,
      answers: ANSWERS,
    }),
  ),
  failed,
};

/** Events that the installer registers. */
export const EVENTS = Object.keys(CLAUDE_EVENTS);
