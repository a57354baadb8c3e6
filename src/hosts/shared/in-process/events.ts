import type { JsonValue } from '../../../core/json.ts';
import type { ToolCall } from '../../../core/tool-call.ts';
import { HANDSHAKE_TOOL } from '../../../core/words.ts';
import type { HookEngine } from '../../../hooks/engine.ts';
import type { EventOrigin } from '../../../hooks/requests.ts';
import { told } from '../../generic/answer.ts';
import type { GenericAnswer } from '../../generic/contract.ts';
import { judge, settle } from '../../generic/judge.ts';

/** The answer with what the agent is to be told in the state that the session is in now (H-109). */
async function standing(
  answer: GenericAnswer,
  origin: EventOrigin,
  engine: HookEngine,
): Promise<GenericAnswer> {
  const { context } = await engine.standing(origin.sessionId);
  return { ...answer, context };
}

/** A session whose earlier process is gone begins anew: what it was allowed then holds no longer (H-18). */
async function begin(origin: EventOrigin, engine: HookEngine): Promise<void> {
  await engine.sessionStart({ ...origin, usage: { turns: 0, tokens: 0, model: null } });
}

/** A request of the user, or of the host in its place. */
export async function prompt(
  origin: EventOrigin,
  how: { readonly first: boolean; readonly byHuman: boolean },
  engine: HookEngine,
): Promise<GenericAnswer> {
  if (how.first) await begin(origin, engine);
  const answer = told(await engine.userPrompt(origin, how.byHuman));
  return standing(answer, origin, engine);
}

/** A call that is about to run. */
export async function before(
  origin: EventOrigin,
  first: boolean,
  call: ToolCall,
  engine: HookEngine,
): Promise<GenericAnswer> {
  if (first) {
    await begin(origin, engine);
    await engine.userPrompt({ ...origin, usage: { turns: 0, tokens: 0, model: null } }, false);
  }
  const answer = await judge(origin, call, engine);
  return answer.verdict === 'halt' ? standing(answer, origin, engine) : answer;
}

/** A call that has ended. What the agent is told changes with the handshake, and with a violation. */
export async function after(
  origin: EventOrigin,
  call: ToolCall,
  end: { readonly ok: boolean; readonly result: JsonValue },
  engine: HookEngine,
): Promise<GenericAnswer> {
  const answer = await settle(origin, call, end, engine);
  return answer.alarm !== null || call.tool === HANDSHAKE_TOOL ? standing(answer, origin, engine) : answer;
}
