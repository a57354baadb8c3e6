import { messageOf, PactError } from '../../core/errors.ts';
import type { JsonObject, JsonValue } from '../../core/json.ts';
import type { ToolCall } from '../../core/tool-call.ts';
import { HANDSHAKE_TOOL } from '../../core/words.ts';
import type { HookEngine } from '../../hooks/engine.ts';
import type { EventOrigin } from '../../hooks/requests.ts';
import { judged, refusal, told } from './answer.ts';
import type { GenericAnswer } from './contract.ts';

/** Judges a call; an allowed handshake brings the answer that its tool is to give. */
export async function judge(origin: EventOrigin, call: ToolCall, engine: HookEngine): Promise<GenericAnswer> {
  const answer = judged(await engine.preToolUse({ ...origin, call }));
  if (answer.verdict !== 'allow' || call.tool !== HANDSHAKE_TOOL) return answer;
  try {
    const handshake: JsonObject = await engine.handshake(String(call.args.intent_id));
    return { ...answer, handshake: handshake as GenericAnswer['handshake'] };
  } catch (error) {
    await engine.postToolUse({ ...origin, call, ok: false, result: messageOf(error) });
    const remedy = error instanceof PactError ? `\n${error.remedy}` : '';
    return refusal(`${messageOf(error)}${remedy}`);
  }
}

/** Records how a call ended. */
export async function settle(
  origin: EventOrigin,
  call: ToolCall,
  end: { readonly ok: boolean; readonly result: JsonValue },
  engine: HookEngine,
): Promise<GenericAnswer> {
  return told(await engine.postToolUse({ ...origin, call, ...end }));
}
