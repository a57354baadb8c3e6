import type { EventAnswer, PreToolAnswer } from '../../hooks/requests.ts';
import type { HookReply } from '../adapter.ts';
import { bounded, jsonReply, noticeReply, refusalReply } from '../shared/encode/reply.ts';

/**
 * A refusal of a call or a prompt, in both forms that the host honours: the answer, and exit code 2 with the reason on
 * standard error. It has no way to end a run, so that a halt is a refusal of every call that follows.
 */
export function encodeRefusal(text: string): HookReply {
  const reason = bounded(text);
  const specific = { permissionDecision: 'deny', permissionDecisionReason: reason };
  return refusalReply({ hookSpecificOutput: specific }, reason);
}

/** Answer to PreToolUse. An allow says nothing, so that the host's own permission rules still apply. */
export function encodePreToolUse({ decision, text }: PreToolAnswer): HookReply {
  return decision.verdict === 'allow' ? jsonReply({}) : encodeRefusal(text ?? 'Refused.');
}

/** Answer to UserPromptSubmit: what the model is to read. The host shows it whatever stands there, so it is never empty. */
export function encodePrompt({ alarm, context }: EventAnswer): HookReply {
  const text = [alarm, context].filter((part) => part !== null).join('\n\n');
  return jsonReply({ message: text === '' ? 'PactClaw governs this session.' : bounded(text) });
}

/** Answer to events of which the host takes nothing back; an alarm goes to whoever reads standard error. */
export function encodeNotice({ alarm }: EventAnswer): HookReply {
  return alarm === null ? jsonReply({}) : noticeReply({}, bounded(alarm));
}
