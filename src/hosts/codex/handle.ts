import { isObject } from '../../core/json.ts';
import type { HookEngine } from '../../hooks/engine.ts';
import type { EventAnswer, EventOrigin } from '../../hooks/requests.ts';
import type { HookReply } from '../adapter.ts';
import { isByHuman } from '../shared/decode/prompt.ts';
import { decodeCall, type HookInput, meantBy } from './decode.ts';
import { encodeContext, encodeNotice, encodePostToolUse, encodePreToolUse } from './encode.ts';
import { awaitCall, type RecordedCall, recordedCall } from './rollout.ts';
import { settleEnded } from './settle.ts';
import { HOST } from './tools.ts';
import { transcriptOf } from './transcript.ts';

function originOf(input: HookInput): EventOrigin {
  return { sessionId: input.sessionId, host: HOST, transcript: transcriptOf(input) };
}

function withAlarm(answer: EventAnswer, alarm: string | null): EventAnswer {
  if (alarm === null) return answer;
  return { ...answer, alarm: answer.alarm === null ? alarm : `${alarm}\n\n${answer.alarm}` };
}

async function preToolUse(input: HookInput, engine: HookEngine): Promise<HookReply> {
  const origin = originOf(input);
  const recorded =
    input.raw.tool_name === 'Bash' ? await awaitCall(input.transcriptPath, input.callId) : null;
  const call = decodeCall(input, meantBy(input, recorded));
  const alarm = await settleEnded(input, origin, engine);
  return encodePreToolUse(await engine.preToolUse({ ...origin, call }), alarm);
}

/** Whether a call went well. The payload tells of servers alone; of commands and patches the record does. */
function wentWell(input: HookInput, recorded: RecordedCall | null): boolean {
  const { tool_response: result } = input.raw;
  if (isObject(result) && result.isError === true) return false;
  return recorded?.code == null || recorded.code === 0;
}

async function postToolUse(input: HookInput, engine: HookEngine): Promise<HookReply> {
  const origin = originOf(input);
  const recorded = recordedCall(input.transcriptPath, input.callId);
  const call = decodeCall(input);
  const ok = wentWell(input, recorded);
  const result = input.raw.tool_response ?? null;
  return encodePostToolUse(await engine.postToolUse({ ...origin, call, ok, result }));
}

type Handler = (input: HookInput, engine: HookEngine) => Promise<HookReply>;

/** An event that carries nothing back, after the calls before it have been ended. */
const ending: Handler = async (input, engine) => {
  const origin = originOf(input);
  const alarm = await settleEnded(input, origin, engine, true);
  return encodeNotice(withAlarm(await engine.stop(origin), alarm));
};

/** The host's events and the engine's; this table is all that translating them takes. */
const HANDLERS: Readonly<Record<string, Handler>> = {
  PreToolUse: preToolUse,
  PostToolUse: postToolUse,
  SessionStart: async (input, engine) => {
    const origin = originOf(input);
    const answer =
      input.raw.source === 'compact' ? await engine.compacted(origin) : await engine.sessionStart(origin);
    return encodeContext('SessionStart', answer);
  },
  UserPromptSubmit: async (input, engine) => {
    const origin = originOf(input);
    const alarm = await settleEnded(input, origin, engine, true);
    return encodeContext(
      'UserPromptSubmit',
      withAlarm(await engine.userPrompt(origin, isByHuman(input.raw.prompt)), alarm),
    );
  },
  PreCompact: async (input, engine) => encodeNotice(await engine.beforeCompact(originOf(input))),
  SubagentStop: ending,
  Stop: ending,
  SessionEnd: ending,
};

/** Events that the installer registers. */
export const EVENTS = Object.keys(HANDLERS);

/** Handles one event of the host. An event that we did not register is answered with nothing. */
export async function handleEvent(input: HookInput, engine: HookEngine): Promise<HookReply> {
  const handler = Object.hasOwn(HANDLERS, input.event) ? HANDLERS[input.event] : undefined;
  return handler ? handler(input, engine) : { stdout: '{}\n', stderr: '', code: 0 };
}
