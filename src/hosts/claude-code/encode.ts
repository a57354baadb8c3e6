import type { ToolCall } from '../../core/tool-call.ts';
import type { EventAnswer } from '../../hooks/requests.ts';
import type { HookReply } from '../adapter.ts';
import { bounded, noticeReply, refusalReply, jsonReply as reply } from '../shared/encode/reply.ts';
import type { Answers } from '../shared/hook-host.ts';
import { OWN_PREFIX } from './tools.ts';

/**
 * A refusal in every form the host honours at once: the deny answer, the reason on standard error, exit code 2. A
 * host that fails to parse one still obeys another.
 */
export function encodeRefusal(text: string, halt: boolean): HookReply {
  const reason = bounded(text);
  const output = {
    ...(halt ? { continue: false, stopReason: reason } : {}),
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision: 'deny',
      permissionDecisionReason: reason,
    },
  };
  return refusalReply(output, reason);
}

/**
 * An allow says nothing, so that the host's own permission rules still apply; only for PactClaw's own tools it says allow,
 * because the handshake must not wait for a prompt that nobody sees.
 */
function encodeAllow(call: ToolCall): HookReply {
  // Declared, not just named so: a server called `pactclaw__x` has the same prefix.
  if (!call.declared || !call.hostTool.startsWith(OWN_PREFIX)) return reply({});
  return reply({
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision: 'allow',
      permissionDecisionReason: 'PactClaw handshake',
    },
  });
}

/** Answer to PostToolUse and PostToolUseFailure: context for the agent, or the alarm it must act on. */
export function encodePostToolUse(event: string, answer: EventAnswer): HookReply {
  if (answer.alarm !== null) {
    const alarm = bounded(answer.alarm);
    return noticeReply({ decision: 'block', reason: alarm, systemMessage: alarm.split('\n')[0] }, alarm);
  }
  return answer.context === null
    ? reply({})
    : reply({ hookSpecificOutput: { hookEventName: event, additionalContext: bounded(answer.context) } });
}

/** Answer to SessionStart and UserPromptSubmit. A failure of ours is told to agent and human; tools are refused anyway. */
export function encodeContext(event: string, answer: EventAnswer): HookReply {
  const text = [answer.alarm, answer.context].filter((part) => part !== null).join('\n\n');
  if (text === '') return reply({});
  const notice = answer.alarm === null ? {} : { systemMessage: bounded(answer.alarm) };
  return reply({ ...notice, hookSpecificOutput: { hookEventName: event, additionalContext: bounded(text) } });
}

/** Answer to events that carry nothing back; an alarm is shown to the human. */
export function encodeNotice(answer: EventAnswer): HookReply {
  return answer.alarm === null ? reply({}) : reply({ systemMessage: bounded(answer.alarm) });
}

/** The answers of Claude Code, which some hosts took over. */
export const ANSWERS: Answers = {
  refuse: encodeRefusal,
  allow: encodeAllow,
  result: encodePostToolUse,
  context: encodeContext,
  notice: encodeNotice,
};
