import { messageOf, PactError } from '../../core/errors.ts';
import type { JsonObject } from '../../core/json.ts';
import type { ToolCall } from '../../core/tool-call.ts';
import { HANDSHAKE_TOOL } from '../../core/words.ts';
import type { HookEngine } from '../../hooks/engine.ts';
import type { Door, EventAnswer, EventOrigin, PreToolAnswer } from '../../hooks/requests.ts';
import type { GenericAnswer, GenericMessage } from './contract.ts';
import { toToolCall } from './decode.ts';
import { CONTRACT } from './names.ts';

const NOTHING: GenericAnswer = {
  contract: CONTRACT,
  verdict: 'none',
  reason: null,
  rule: null,
  hook: null,
  receipt: null,
  context: null,
  alarm: null,
  handshake: null,
};

/** A refusal of ours where nothing could be judged. */
export function refusal(reason: string): GenericAnswer {
  return { ...NOTHING, verdict: 'deny', reason, rule: 'fail-safe' };
}

function told(answer: EventAnswer): GenericAnswer {
  return { ...NOTHING, context: answer.context, alarm: answer.alarm };
}

function judged({ decision, text, hook, receiptId }: PreToolAnswer): GenericAnswer {
  const { verdict, refusedBy } = decision;
  return {
    ...NOTHING,
    // A question that nobody can be asked here is a refusal.
    verdict: verdict === 'ask' ? 'deny' : verdict,
    reason: text,
    rule: refusedBy,
    hook,
    receipt: receiptId,
  };
}

async function preToolUse(origin: EventOrigin, call: ToolCall, engine: HookEngine): Promise<GenericAnswer> {
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

function toolEvent(message: GenericMessage, origin: EventOrigin, engine: HookEngine): Promise<GenericAnswer> {
  const call = toToolCall(message);
  if (!call) return Promise.resolve(refusal('the message names no call'));
  if (message.event === 'pre_tool_use') return preToolUse(origin, call, engine);
  const result = message.result ?? null;
  return engine.postToolUse({ ...origin, call, ok: message.ok, result }).then(told);
}

/** Answers one message of the generic contract. */
export async function handleMessage(
  message: GenericMessage,
  engine: HookEngine,
  door: Door = 'hook',
): Promise<GenericAnswer> {
  const { usage, session_id: sessionId, host } = message;
  const origin: EventOrigin = { sessionId, host, transcript: null, door, ...(usage ? { usage } : {}) };
  switch (message.event) {
    case 'pre_tool_use':
    case 'post_tool_use':
      return toolEvent(message, origin, engine);
    case 'session_start':
      return told(await engine.sessionStart(origin));
    case 'user_prompt':
      return told(await engine.userPrompt(origin, message.by_human));
    case 'pre_compact':
      return told(await engine.beforeCompact(origin));
    case 'compacted':
      return told(await engine.compacted(origin));
    case 'stop':
      return told(await engine.stop(origin));
  }
}
