import type { JsonValue } from '../../core/json.ts';
import type { HookEngine } from '../../hooks/engine.ts';
import type { EventOrigin } from '../../hooks/requests.ts';
import type { HookReply } from '../adapter.ts';
import type { HookInput } from '../shared/decode/hook-input.ts';
import { callIdOf, decodeCall } from './decode.ts';
import { encodeNotice, encodePreToolUse, encodePrompt } from './encode.ts';
import { awaitEnds, recordOf } from './record.ts';
import { HOST } from './tools.ts';

function originOf({ sessionId }: HookInput): EventOrigin {
  return { sessionId, host: HOST, transcript: recordOf(sessionId) };
}

async function preToolUse(input: HookInput, engine: HookEngine): Promise<HookReply> {
  const call = decodeCall(input);
  await awaitEnds(input.sessionId, callIdOf(input), engine);
  return encodePreToolUse(await engine.preToolUse({ ...originOf(input), call }));
}

async function postToolUse(input: HookInput, engine: HookEngine, ok: boolean): Promise<HookReply> {
  // The host tells the end of calls too whose arguments it refused itself, before any hook was asked.
  const open = await engine.openCalls(input.sessionId);
  const call = decodeCall(input);
  if (!ok && !open.includes(call.callId)) return encodeNotice({ context: null, alarm: null });
  const result: JsonValue = (ok ? input.raw.tool_output : input.raw.error) ?? null;
  return encodeNotice(await engine.postToolUse({ ...originOf(input), call, ok, result }));
}

/** The run is over; calls that have ended are recorded first. */
async function stop(input: HookInput, engine: HookEngine): Promise<HookReply> {
  await awaitEnds(input.sessionId, null, engine);
  return encodeNotice(await engine.stop(originOf(input)));
}

type Handler = (input: HookInput, engine: HookEngine) => Promise<HookReply>;

/** The host's events and the engine's; this table is all that translating them takes. */
const HANDLERS: Readonly<Record<string, Handler>> = {
  PreToolUse: preToolUse,
  PostToolUse: (input, engine) => postToolUse(input, engine, true),
  PostToolUseFailure: (input, engine) => postToolUse(input, engine, false),
  SessionStart: async (input, engine) => encodeNotice(await engine.sessionStart(originOf(input))),
  // Fired for a human's words alone; the host keeps what its schedules and its tasks say apart.
  UserPromptSubmit: async (input, engine) => encodePrompt(await engine.userPrompt(originOf(input), true)),
  PreCompact: async (input, engine) => encodeNotice(await engine.beforeCompact(originOf(input))),
  Stop: stop,
  SessionEnd: stop,
};

/** Events that the installer registers. */
export const EVENTS = Object.keys(HANDLERS);

/** Handles one event of the host. An event that we did not register is answered with nothing. */
export async function handleEvent(input: HookInput, engine: HookEngine): Promise<HookReply> {
  const handler = Object.hasOwn(HANDLERS, input.event) ? HANDLERS[input.event] : undefined;
  return handler ? handler(input, engine) : encodeNotice({ context: null, alarm: null });
}
