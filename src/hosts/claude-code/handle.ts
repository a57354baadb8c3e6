import type { JsonObject, JsonValue } from '../../core/json.ts';
import type { HookEngine } from '../../hooks/engine.ts';
import type { EventOrigin } from '../../hooks/requests.ts';
import type { HookReply } from '../adapter.ts';
import { isByHuman } from '../shared/decode/prompt.ts';
import { stillRunning } from '../shared/decode/still-running.ts';
import { decodeCall, HOST, type HookInput } from './decode.ts';
import { encodeContext, encodeNotice, encodePostToolUse, encodePreToolUse } from './encode.ts';
import { transcriptOf } from './transcript.ts';

/** Prompt sources that are not a human's word: the host's own schedule (hooks reference, UserPromptSubmit). */
const NOT_HUMAN = new Set(['loop_wakeup', 'schedule_wakeup', 'poll_event', 'system']);

/** True for the words of a human: the client tells the source of most prompts of its own, and writes others without one. */
function byHuman({ source, prompt }: JsonObject): boolean {
  return !(typeof source === 'string' && NOT_HUMAN.has(source)) && isByHuman(prompt);
}

function originOf(input: HookInput): EventOrigin {
  return { sessionId: input.sessionId, host: HOST, transcript: transcriptOf(input) };
}

async function postToolUse(input: HookInput, engine: HookEngine, ok: boolean): Promise<HookReply> {
  const result: JsonValue = (ok ? input.raw.tool_response : input.raw.error) ?? null;
  const call = decodeCall(input);
  const goesOn = ok ? stillRunning(call, result) : {};
  const answer = await engine.postToolUse({ ...originOf(input), call, ok, result, ...goesOn });
  return encodePostToolUse(input.event, answer);
}

type Handler = (input: HookInput, engine: HookEngine) => Promise<HookReply>;

/** The host's events and the engine's; this table is all that translating them takes. */
const HANDLERS: Readonly<Record<string, Handler>> = {
  PreToolUse: async (input, engine) => {
    const call = decodeCall(input);
    return encodePreToolUse(call, await engine.preToolUse({ ...originOf(input), call }));
  },
  PostToolUse: (input, engine) => postToolUse(input, engine, true),
  PostToolUseFailure: (input, engine) => postToolUse(input, engine, false),
  SessionStart: async (input, engine) => {
    const origin = originOf(input);
    const answer =
      input.raw.source === 'compact' ? await engine.compacted(origin) : await engine.sessionStart(origin);
    return encodeContext('SessionStart', answer);
  },
  UserPromptSubmit: async (input, engine) => {
    return encodeContext('UserPromptSubmit', await engine.userPrompt(originOf(input), byHuman(input.raw)));
  },
  PreCompact: async (input, engine) => encodeNotice(await engine.beforeCompact(originOf(input))),
  Stop: async (input, engine) => encodeNotice(await engine.stop(originOf(input))),
  SessionEnd: async (input, engine) => encodeNotice(await engine.stop(originOf(input))),
};

/** Events that the installer registers. */
export const EVENTS = Object.keys(HANDLERS);

/** Handles one event of the host. An event that we did not register is answered with nothing. */
export async function handleEvent(input: HookInput, engine: HookEngine): Promise<HookReply> {
  const handler = Object.hasOwn(HANDLERS, input.event) ? HANDLERS[input.event] : undefined;
  return handler ? handler(input, engine) : { stdout: '{}\n', stderr: '', code: 0 };
}
