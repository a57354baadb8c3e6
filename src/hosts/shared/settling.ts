import type { ToolCall } from '../../core/tool-call.ts';
import type { HookEngine } from '../../hooks/engine.ts';
import type { CallEnding, EventAnswer } from '../../hooks/requests.ts';

/** How a call ended, by what a host's own record says; null where it tells nothing. */
export type Recorded = (call: ToolCall) => CallEnding | null;

/**
 * When a person asks for something new, or the agent has stopped, no call of the conversation itself can be under way.
 * One of a subagent can, and one that was meant to go on.
 */
const over: Recorded = ({ agentId, background }) =>
  agentId === undefined && background !== true ? { ok: false, result: null } : null;

function withAlarm(answer: EventAnswer, alarm: string | null): EventAnswer {
  if (alarm === null) return answer;
  return { ...answer, alarm: answer.alarm === null ? alarm : `${alarm}\n\n${answer.alarm}` };
}

/**
 * The engine as it is given to a host whose hooks may get lost: before an event it ends the calls of the session that are
 * over by the host's record, or because nothing can run any more (F-14). Without this, what a call changed whose end
 * nobody told stays for good.
 */
export function settling(engine: HookEngine, recorded: Recorded = () => null): HookEngine {
  const atEnd: Recorded = (call) => recorded(call) ?? over(call);
  return {
    ...engine,
    async preToolUse(request) {
      const ended: Recorded = (call) => (call.callId === request.call.callId ? null : recorded(call));
      const alarm = await engine.settle(request, ended);
      const answer = await engine.preToolUse(request);
      return alarm === null || answer.text === null
        ? answer
        : { ...answer, text: `${alarm}\n\n${answer.text}` };
    },
    async userPrompt(origin, byHuman) {
      const alarm = await engine.settle(origin, byHuman ? atEnd : recorded);
      return withAlarm(await engine.userPrompt(origin, byHuman), alarm);
    },
    async stop(origin, note) {
      const alarm = await engine.settle(origin, atEnd);
      return withAlarm(await engine.stop(origin, note), alarm);
    },
  };
}
