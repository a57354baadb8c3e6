import type { EventAnswer, PreToolAnswer } from '../../hooks/requests.ts';
import type { HookReply } from '../adapter.ts';
import { bounded, jsonReply, noticeReply } from '../shared/encode/reply.ts';

/**
 * A refusal of a call. With exit code 2 the host would take all of standard output for the reason; an answer that does
 * not reach it is a refusal all the same, because the hooks are registered with `failClosed`.
 */
export function encodeRefusal(text: string): HookReply {
  const reason = bounded(text);
  return noticeReply({ permission: 'deny', user_message: reason, agent_message: reason }, reason);
}

/** Answer to preToolUse and beforeMCPExecution. An allow decides nothing, so that the host's own rules still apply. */
export function encodePreToolUse(answer: PreToolAnswer): HookReply {
  return answer.decision.verdict === 'allow' ? jsonReply({}) : encodeRefusal(answer.text ?? 'Refused.');
}

/** Answer to the events that hand the model something to read. */
export function encodeContext({ alarm, context }: EventAnswer): HookReply {
  const text = [alarm, context].filter((part) => part !== null).join('\n\n');
  if (text === '') return jsonReply({});
  const output = { additional_context: bounded(text) };
  return alarm === null ? jsonReply(output) : noticeReply(output, bounded(alarm));
}

/** Answer to events that carry nothing back. */
export function encodeNotice({ alarm }: EventAnswer): HookReply {
  return alarm === null ? jsonReply({}) : noticeReply({}, bounded(alarm));
}

/** A prompt that must not reach the model. */
export function encodeBlockedPrompt(text: string): HookReply {
  const reason = bounded(text);
  return noticeReply({ continue: false, user_message: reason }, reason);
}
