import type { HookEngine } from '../../hooks/engine.ts';
import type { Door, EventOrigin } from '../../hooks/requests.ts';
import { refusal, told } from './answer.ts';
import type { GenericAnswer, GenericMessage } from './contract.ts';
import { toToolCall } from './decode.ts';
import { judge, settle } from './judge.ts';

async function toolEvent(
  message: GenericMessage,
  origin: EventOrigin,
  engine: HookEngine,
): Promise<GenericAnswer> {
  const call = toToolCall(message);
  if (!call) return refusal('the message names no call');
  if (message.event === 'pre_tool_use') return judge(origin, call, engine);
  return settle(origin, call, { ok: message.ok, result: message.result ?? null }, engine);
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
