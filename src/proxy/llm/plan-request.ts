import type { JsonObject } from '../../core/json.ts';
import { compact, contextOf } from '../../models/compact.ts';
import { failureText } from './judge.ts';
import { headerOf, type LlmSession } from './session.ts';
import type { TurnParts, TurnRequest } from './turn-parts.ts';
import type { Plan } from './wire.ts';

/** How a request is to be changed where its session stands now. `alarms`: what the agent must hear of. */
export async function planRequest(
  { governor, settings }: TurnParts,
  session: LlmSession,
  { view }: TurnRequest,
  appended: readonly JsonObject[],
  alarms: readonly string[],
): Promise<Plan> {
  const common = {
    providerRuns: settings.providerRuns,
    hideTools: settings.hideTools,
    exchanges: session.hidden.all,
    appended,
    continued: session.continuedBy(view),
  };
  if (!view.offersTools) return { ...common, phase: 'untouched', part: '' };
  const loud = alarms.map((alarm) => `# Governance alarm\n\n${alarm}`);
  try {
    const { state, context } = await governor.standing(session.id);
    const phase = state === 'CONTEXTUALIZED_ACTION' ? 'action' : 'intercept';
    return { ...common, phase, part: [...loud, context].join('\n\n') };
  } catch (error) {
    return { ...common, phase: 'intercept', part: [...loud, failureText(error)].join('\n\n') };
  }
}

/** The request, shortened when it nears the model's context; the engine is told when more had to go (H-96). */
export async function withinContext(
  { governor, judge, settings }: TurnParts,
  session: LlmSession,
  { view, headers, read, protocol }: TurnRequest,
): Promise<JsonObject> {
  const beta = headerOf(headers, 'anthropic-beta') ?? JSON.stringify(read.body.anthropic_beta ?? '');
  const tokens = settings.contextTokens ?? contextOf(view.model, beta);
  if (tokens === null || !view.offersTools) return read.exact;
  const limit = { tokens, share: settings.compactAt };
  const shorter = compact(read.exact, read.bytes.length, limit, protocol.mapResults);
  if (!shorter) return read.exact;
  if (shorter.left !== session.leftOut) {
    const note = `${shorter.left} old results left out: about ${shorter.beforeTokens} tokens before, ${shorter.afterTokens} after`;
    try {
      const { compact: may } = await governor.beforeCompact(
        judge.origin(session, session.settle(null)),
        note,
      );
      if (!may) return read.exact;
    } catch {
      // The request is shorter whether or not that could be recorded; no tool depends on it.
    }
    session.leftOut = shorter.left;
  }
  return shorter.body;
}
