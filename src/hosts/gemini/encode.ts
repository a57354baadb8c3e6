import type { EventAnswer, PreToolAnswer } from '../../hooks/requests.ts';
import type { HookReply } from '../adapter.ts';
import { bounded, jsonReply, noticeReply, refusalReply } from '../shared/encode/reply.ts';

/**
 * A refusal in every form the host honours at once: its own answer, the reason on standard error, exit code 2. It hides
 * the call or the prompt from tool and model; with `halt` the run ends.
 */
export function encodeRefusal(text: string, halt: boolean): HookReply {
  const reason = bounded(text);
  const end = halt ? { continue: false, stopReason: reason } : {};
  return refusalReply({ decision: 'deny', reason, ...end }, reason);
}

/**
 * Answer to BeforeTool. An allow says nothing, so that the host's own policy still applies.
 */
export function encodeBeforeTool({ decision, text }: PreToolAnswer): HookReply {
  if (decision.verdict === 'allow') return jsonReply({});
  return encodeRefusal(text ?? 'Refused.', decision.verdict === 'halt');
}

/** Answer to AfterTool: context for the agent, or the alarm, which takes the place of the tool's result. */
export function encodeAfterTool({ alarm, context }: EventAnswer): HookReply {
  if (alarm !== null) {
    const reason = bounded(alarm);
    return noticeReply({ decision: 'deny', reason, systemMessage: reason.split('\n')[0] }, reason);
  }
  if (context === null) return jsonReply({});
  return jsonReply({
    hookSpecificOutput: { hookEventName: 'AfterTool', additionalContext: bounded(context) },
  });
}

/** Answer to SessionStart and BeforeAgent. A failure of ours is told to agent and human; tools are refused anyway. */
export function encodeContext(event: string, { alarm, context }: EventAnswer): HookReply {
  const text = [alarm, context].filter((part) => part !== null).join('\n\n');
  if (text === '') return jsonReply({});
  const notice = alarm === null ? {} : { systemMessage: bounded(alarm) };
  return jsonReply({
    ...notice,
    hookSpecificOutput: { hookEventName: event, additionalContext: bounded(text) },
  });
}

/** Answer to events that carry nothing back. Never a refusal: one of AfterAgent sends the agent on for ever. */
export function encodeNotice({ alarm }: EventAnswer): HookReply {
  return jsonReply(alarm === null ? {} : { systemMessage: bounded(alarm) });
}
