import { HANDSHAKE_TOOL } from '../../core/words.ts';
import type { EventAnswer, PreToolAnswer } from '../../hooks/requests.ts';
import type { HookReply } from '../adapter.ts';

/** Longer texts are of no use to a model; the host has no limit of its own that we know of. */
const MAX_TEXT = 9_500;

function bounded(text: string): string {
  return text.length <= MAX_TEXT
    ? text
    : `${text.slice(0, MAX_TEXT).toWellFormed()}\n… (cut; see .orchestration)`;
}

/**
 * INVARIANT (schema): only keys that the host's schema of the event has. It drops an answer with any other key as a
 * whole, and the call runs.
 */
function reply(output: object): HookReply {
  return { stdout: `${JSON.stringify(output)}\n`, stderr: '', code: 0 };
}

/**
 * A refusal in every form the host honours at once: the deny answer, the reason on standard error, exit code 2. A halt
 * says no more: `continue: false` beside a deny would make the call run.
 */
export function encodeRefusal(text: string): HookReply {
  const reason = bounded(text.trim() === '' ? 'Refused.' : text);
  const output = {
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision: 'deny',
      permissionDecisionReason: reason,
    },
  };
  return { stdout: `${JSON.stringify(output)}\n`, stderr: `${reason}\n`, code: 2 };
}

function context(event: string, text: string): HookReply {
  return reply({ hookSpecificOutput: { hookEventName: event, additionalContext: bounded(text) } });
}

/**
 * Answer to PreToolUse. An allow says nothing: the host's own permission rules still apply, and it takes a bare
 * `allow` for a failure. `alarm` tells of an earlier call of which no hook heard the end.
 */
export function encodePreToolUse(answer: PreToolAnswer, alarm: string | null): HookReply {
  if (answer.decision.verdict !== 'allow')
    return encodeRefusal([alarm, answer.text].filter((part) => part !== null).join('\n\n'));
  return alarm === null ? reply({}) : context('PreToolUse', alarm);
}

/** Answer to PostToolUse: context for the agent, or the alarm in place of the tool's result. */
export function encodePostToolUse(answer: EventAnswer): HookReply {
  if (answer.alarm !== null) {
    const alarm = bounded(answer.alarm);
    return { ...reply({ decision: 'block', reason: alarm }), stderr: `${alarm}\n` };
  }
  return answer.context === null ? reply({}) : context('PostToolUse', answer.context);
}

/** The host may hide the tools of servers until they are searched for, by words and not by name. */
const FINDING = `If ${HANDSHAKE_TOOL} is not among your tools, call tool_search with the query "pactclaw ${HANDSHAKE_TOOL}" first.`;

/** Answer to SessionStart, SubagentStart and UserPromptSubmit. A failure of ours is told to agent and human. */
export function encodeContext(event: string, answer: EventAnswer): HookReply {
  const finding = answer.context?.includes(HANDSHAKE_TOOL) ? FINDING : null;
  const text = [answer.alarm, answer.context, finding].filter((part) => part !== null).join('\n\n');
  if (text === '') return reply({});
  const notice = answer.alarm === null ? {} : { systemMessage: bounded(answer.alarm) };
  return reply({ ...notice, hookSpecificOutput: { hookEventName: event, additionalContext: bounded(text) } });
}

/** Answer to events that carry nothing back; an alarm is shown to the human. */
export function encodeNotice(answer: EventAnswer): HookReply {
  return answer.alarm === null ? reply({}) : reply({ systemMessage: bounded(answer.alarm) });
}
