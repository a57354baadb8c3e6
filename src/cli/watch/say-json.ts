import { UNSEEN } from '../../core/unseen.ts';
import type { News } from './news.ts';
import type { Screen } from './screen.ts';

/** JSON on one line. What could act on a terminal is spelled as an escape, which is the same JSON. */
function oneLine(value: unknown): string {
  return JSON.stringify(value).replace(UNSEEN, (char) =>
    char
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}

export function jsonLine(news: News): string {
  return oneLine(news);
}

/** The first line of `--json`: everything as it stands when watching begins. */
export function stateLine({ nowMs, estop, places }: Screen): string {
  return oneLine({
    event: 'state',
    at: new Date(nowMs).toISOString(),
    estop,
    workspaces: places.map(({ root, known }) => ({
      workspace: root,
      fail_safe: known.snapshot?.failSafe ?? null,
      sessions: (known.snapshot?.sessions ?? []).map((session) => {
        const facts = known.sessions.get(session.id);
        return {
          session_id: session.id,
          host: session.host,
          model: session.model,
          state: session.state,
          intent_id: session.intentId,
          halt_reason: session.haltReason,
          began_at: facts?.beganAt ?? null,
          updated_at: session.updatedAt,
          last_call: facts?.call
            ? { tool: facts.call.tool, target: facts.call.target, status: facts.call.status }
            : null,
        };
      }),
      intents: (known.snapshot?.intents ?? []).map((intent) => ({
        intent_id: intent.id,
        name: intent.name,
        status: intent.status,
        blocked_reason: intent.reason,
        turns: intent.turns,
        max_turns: intent.maxTurns,
        tokens: intent.tokens,
        max_tokens: intent.maxTokens,
      })),
      refusals: known.refusals.map((refused) => ({
        at: refused.at,
        kind: refused.kind,
        found_after: refused.found,
        receipt_id: refused.receiptId,
        session_id: refused.session_id,
        host: refused.host,
        intent_id: refused.intent_id,
        tool: refused.tool,
        target: refused.target,
        rule: refused.rule,
        message: refused.message,
        unblock: refused.unblock,
      })),
    })),
  });
}
