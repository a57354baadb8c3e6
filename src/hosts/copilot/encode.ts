import type { ToolCall } from '../../core/tool-call.ts';
import type { EventAnswer } from '../../hooks/requests.ts';
import type { HookReply } from '../adapter.ts';
import { encodeNotice } from '../shared/encode/exit.ts';
import { bounded, jsonReply, noticeReply, refusalReply } from '../shared/encode/reply.ts';
import { type Answers, textOf } from '../shared/hook-host.ts';
import { OWN_PREFIX } from './tools.ts';

/**
 * A refusal of a call. Under camelCase events only these flat keys count; exit code 2 refuses besides, whatever is
 * printed. The host has no way to end a run, so that a halt is a refusal of every call that follows.
 */
function refuse(text: string): HookReply {
  const reason = bounded(text);
  return refusalReply({ permissionDecision: 'deny', permissionDecisionReason: reason }, reason);
}

/**
 * An allow says nothing, so that the host's own permission rules still apply; only for PactClaw's own tools it says allow,
 * because the handshake must not wait for a prompt that nobody sees.
 */
function allow(call: ToolCall): HookReply {
  if (!call.declared || !call.hostTool.startsWith(OWN_PREFIX)) return jsonReply({});
  return jsonReply({ permissionDecision: 'allow', permissionDecisionReason: 'PactClaw handshake' });
}

/** Answer to the events that hand the model something to read: an alarm, a context, or nothing. */
function context(_event: string, answer: EventAnswer): HookReply {
  const text = textOf(answer);
  if (text === '') return jsonReply({});
  const output = { additionalContext: bounded(text) };
  return answer.alarm === null ? jsonReply(output) : noticeReply(output, bounded(answer.alarm));
}

/** The answers of the camelCase dialect. */
export const ANSWERS: Answers = {
  refuse,
  allow,
  block: (text) => {
    const reason = bounded(text);
    return refusalReply({ decision: 'block', reason }, reason);
  },
  result: context,
  context,
  notice: encodeNotice,
};
