import type { ToolCall } from '../../core/tool-call.ts';
import type { EventAnswer, PreToolAnswer } from '../../hooks/requests.ts';
import type { HookReply } from '../adapter.ts';
import { bounded, jsonReply, noticeReply, refusalReply } from '../shared/encode/reply.ts';
import { OWN_PREFIX } from './tools.ts';

/**
 * A refusal of a call. Under camelCase events only these flat keys count; exit code 2 refuses besides, whatever is
 * printed. The host has no way to end a run, so that a halt is a refusal of every call that follows.
 */
export function encodeRefusal(text: string): HookReply {
  const reason = bounded(text);
  return refusalReply({ permissionDecision: 'deny', permissionDecisionReason: reason }, reason);
}

/**
 * Answer to preToolUse. An allow says nothing, so that the host's own permission rules still apply; only for PactClaw's
 * own tools it says allow, because the handshake must not wait for a prompt that nobody sees.
 */
export function encodePreToolUse(call: ToolCall, answer: PreToolAnswer): HookReply {
  if (answer.decision.verdict !== 'allow') return encodeRefusal(answer.text ?? 'Refused.');
  if (!call.declared || !call.hostTool.startsWith(OWN_PREFIX)) return jsonReply({});
  return jsonReply({ permissionDecision: 'allow', permissionDecisionReason: 'PactClaw handshake' });
}

/** Answer to the events that hand the model something to read: an alarm, a context, or nothing. */
export function encodeContext({ alarm, context }: EventAnswer): HookReply {
  const text = [alarm, context].filter((part) => part !== null).join('\n\n');
  if (text === '') return jsonReply({});
  const output = { additionalContext: bounded(text) };
  return alarm === null ? jsonReply(output) : noticeReply(output, bounded(alarm));
}

/** Answer to events that carry nothing back. */
export function encodeNotice({ alarm }: EventAnswer): HookReply {
  return alarm === null ? jsonReply({}) : noticeReply({}, bounded(alarm));
}

/** A prompt that must not reach the model. */
export function encodeBlockedPrompt(text: string): HookReply {
  const reason = bounded(text);
  return refusalReply({ decision: 'block', reason }, reason);
}
