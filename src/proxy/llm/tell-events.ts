import type { ToolCall } from '../../core/tool-call.ts';
import type { ReportedResult, RequestView } from '../../models/shapes.ts';
import { failureText, type Judge } from './judge.ts';
import type { LlmSession } from './session.ts';
import { NO_USE, type TurnParts } from './turn-parts.ts';

/** A call that was given out before this process began: the history still has it. Told once. */
function fromHistory(
  judge: Judge,
  session: LlmSession,
  id: string,
  call: ReportedResult['call'],
): ToolCall | null {
  if (!call) return null;
  try {
    return judge.toolCall({ id, ...call, fault: null }, session.id);
  } catch {
    return null;
  }
}

/** The call that a result names by its id. */
function named(judge: Judge, session: LlmSession, id: string, call: ReportedResult['call']): ToolCall | null {
  const isNew = session.firstSeen(id);
  return (
    session.claim(({ callId }) => callId === id) ?? (isNew ? fromHistory(judge, session, id, call) : null)
  );
}

/** The call of a result in whose protocol ids may be left out: the one that waits and asked for the same. */
function unnamed(judge: Judge, session: LlmSession, call: ReportedResult['call']): ToolCall | null {
  const asked = fromHistory(judge, session, 'unnamed', call);
  return asked && session.claim(({ identity }) => identity === asked.identity);
}

/**
 * Tells the engine what a request brings before the model is asked: results that came back, and the user's new request.
 * Returns what the agent must hear of.
 */
export async function tellEvents(
  { governor, judge }: TurnParts,
  session: LlmSession,
  view: RequestView,
): Promise<string[]> {
  const alarms: string[] = [];
  const tell = async (work: () => Promise<{ alarm: string | null }>) => {
    try {
      const { alarm } = await work();
      if (alarm !== null) alarms.push(alarm);
    } catch (error) {
      alarms.push(failureText(error));
    }
  };
  for (const { id, ok, result, call } of view.results) {
    const pending = id === '' ? unnamed(judge, session, call) : named(judge, session, id, call);
    if (pending)
      await tell(() => governor.postToolUse({ ...judge.origin(session, NO_USE), call: pending, ok, result }));
  }
  if (view.offersTools && session.beginsTurn(view)) {
    session.pending.clear();
    await tell(() => governor.userPrompt(judge.origin(session, session.settle(null)), true));
  }
  return alarms;
}
