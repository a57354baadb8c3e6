import type { EventAnswer, PreToolAnswer } from '../../hooks/requests.ts';
import type { HookReply } from '../adapter.ts';
import { bounded, jsonReply, noticeReply, refusalReply } from '../shared/encode/reply.ts';

/**
 * A refused call in every form the host honours at once. With exit code 2 it reads standard error alone, otherwise the
 * answer. No answer to this event ends the run
 * (0.24.4): that is done at the next prompt event ({@link encodeBlockedPrompt}).
 */
export function encodeRefusal(text: string): HookReply {
  const reason = bounded(text);
  const hookSpecificOutput = {
    hookEventName: 'PreToolUse',
    permissionDecision: 'deny',
    permissionDecisionReason: reason,
  };
  return refusalReply({ hookSpecificOutput }, reason);
}

/** A prompt that must not reach the model. */
export function encodeBlockedPrompt(text: string): HookReply {
  const reason = bounded(text);
  return refusalReply({ decision: 'block', reason }, reason);
}

/** Answer to PreToolUse. An allow says nothing, so that the host's own permission rules still apply. */
export function encodePreToolUse(answer: PreToolAnswer): HookReply {
  return answer.decision.verdict === 'allow' ? jsonReply({}) : encodeRefusal(answer.text ?? 'Refused.');
}

/** Text for the agent, and what the human should see. The host takes no refusal after a tool has run. */
export function encodeContext(event: string, { alarm, context }: EventAnswer): HookReply {
  const text = [alarm, context].filter((part) => part !== null).join('\n\n');
  if (text === '') return jsonReply({});
  const hookSpecificOutput = { hookEventName: event, additionalContext: bounded(text) };
  if (alarm === null) return jsonReply({ hookSpecificOutput });
  return noticeReply({ systemMessage: bounded(alarm).split('\n')[0], hookSpecificOutput }, bounded(alarm));
}

/** Answer to events that carry nothing back; an alarm is shown to the human. */
export function encodeNotice({ alarm }: EventAnswer): HookReply {
  return jsonReply(alarm === null ? {} : { systemMessage: bounded(alarm) });
}
