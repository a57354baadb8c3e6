import type { JsonObject } from '../../core/json.ts';
import type { ToolCall } from '../../core/tool-call.ts';
import type { RequestView } from '../../models/shapes.ts';
import { failureText, type Judge } from './judge.ts';
import type { LlmSession } from './session.ts';
import { NO_USE, type TurnParts } from './turn-parts.ts';

/** A call that was given out before this process began: the history still has it. Told once. */
function fromHistory(
  judge: Judge,
  session: LlmSession,
  id: string,
  call: { readonly name: string; readonly args: JsonObject | null } | null,
): ToolCall | null {
  if (!call) return null;
  try {
    return judge.toolCall({ id, ...call, fault: null }, session.id);
  } catch {
    return null;
  }
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
    const isNew = session.firstSeen(id);
    const pending = session.pending.get(id) ?? (isNew ? fromHistory(judge, session, id, call) : null);
    session.pending.delete(id);
    if (pending)
      await tell(() => governor.postToolUse({ ...judge.origin(session, NO_USE), call: pending, ok, result }));
  }
  if (view.offersTools && session.beginsTurn(view)) {
    session.pending.clear();
    await tell(() => governor.userPrompt(judge.origin(session, session.settle(null)), true));
  }
  return alarms;
}
