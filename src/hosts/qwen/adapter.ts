import type { HookEngine } from '../../hooks/engine.ts';
import type { EventAnswer } from '../../hooks/requests.ts';
import type { HookReply, HostAdapter } from '../adapter.ts';
import { claudeShaped } from '../shared/claude-shaped.ts';
import type { HookInput } from '../shared/decode/hook-input.ts';
import { optionalText } from '../shared/decode/payload.ts';
import { isByHuman } from '../shared/decode/prompt.ts';
import { bounded, jsonReply, noticeReply, refusalReply } from '../shared/encode/reply.ts';
import { type Answers, adapterOf, endAt, goingOn, originOf, textOf } from '../shared/hook-host.ts';
import { CALLS } from './decode.ts';
import { transcriptOf } from './transcript.ts';

/** Text for the agent, and what the human should see. The host takes no refusal after a tool has run. */
function told(event: string, answer: EventAnswer): HookReply {
  const text = textOf(answer);
  if (text === '') return jsonReply({});
  const hookSpecificOutput = { hookEventName: event, additionalContext: bounded(text) };
  if (answer.alarm === null) return jsonReply({ hookSpecificOutput });
  const alarm = bounded(answer.alarm);
  return noticeReply({ systemMessage: alarm.split('\n')[0], hookSpecificOutput }, alarm);
}

function block(text: string): HookReply {
  const reason = bounded(text);
  return refusalReply({ decision: 'block', reason }, reason);
}

/**
 * With exit code 2 the host reads standard error alone, otherwise the answer. No answer to a call's event ends the run
 * (0.24.4): that is done at the next prompt event.
 */
const ANSWERS: Answers = {
  refuse: (text) => {
    const reason = bounded(text);
    const refusal = { permissionDecision: 'deny', permissionDecisionReason: reason };
    return refusalReply({ hookSpecificOutput: { hookEventName: 'PreToolUse', ...refusal } }, reason);
  },
  block,
  result: told,
  context: told,
  notice: ({ alarm }) => jsonReply(alarm === null ? {} : { systemMessage: bounded(alarm) }),
};

const hooks = claudeShaped({
  ...CALLS,
  projectVariables: ['QWEN_PROJECT_DIR'],
  endOf: goingOn(endAt('tool_response', 'error')),
  transcript: transcriptOf,
  // Prompts of the host's own have none: a background agent has ended.
  byHuman: ({ raw }) => {
    const submitted = optionalText(raw, 'submitted_prompt');
    return submitted !== null && isByHuman(submitted);
  },
  answers: ANSWERS,
});

/**
 * The host fires this for a human's prompt, for one of its own, and, with an empty prompt, before each time the model goes
 * on after tools. The last is no request; but a session that was halted ends there, because no answer to a tool's event
 * makes the host stop.
 */
async function userPrompt(input: HookInput, engine: HookEngine): Promise<HookReply> {
  if (optionalText(input.raw, 'submitted_prompt') === null && optionalText(input.raw, 'prompt') === null) {
    const { state, context } = await engine.standing(input.sessionId);
    return state === 'HALTED' ? block(context) : jsonReply({});
  }
  return told(input.event, await engine.userPrompt(originOf(hooks, input), hooks.byHuman(input)));
}

/** Qwen Code (docs/hosts/qwen.md). */
export const qwen: HostAdapter = adapterOf({ ...hooks, special: { UserPromptSubmit: userPrompt } });
