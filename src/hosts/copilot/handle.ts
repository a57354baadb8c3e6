import { isObject, type JsonValue } from '../../core/json.ts';
import type { HookEngine } from '../../hooks/engine.ts';
import type { EventOrigin } from '../../hooks/requests.ts';
import type { HookReply } from '../adapter.ts';
import { isByHuman } from '../shared/decode/prompt.ts';
import { jsonReply } from '../shared/encode/reply.ts';
import { type CopilotInput, decodeCall, HOST } from './decode.ts';
import { encodeContext, encodeNotice, encodePreToolUse } from './encode.ts';
import { transcriptOf } from './transcript.ts';

function originOf(input: CopilotInput): EventOrigin {
  return { sessionId: input.sessionId, host: HOST, transcript: transcriptOf(input.sessionId) };
}

async function postToolUse(input: CopilotInput, engine: HookEngine, ok: boolean): Promise<HookReply> {
  const { toolResult, error } = input.raw;
  const result: JsonValue = (ok ? toolResult : error) ?? null;
  const succeeded = ok && !(isObject(toolResult) && toolResult.resultType === 'failure');
  const call = decodeCall(input);
  return encodeContext(await engine.postToolUse({ ...originOf(input), call, ok: succeeded, result }));
}

type Handler = (input: CopilotInput, engine: HookEngine) => Promise<HookReply>;

/** An event of the session itself. A subagent has such events too: they begin and end nothing of the session. */
function ofSession(handler: Handler): Handler {
  return async (input, engine) => (input.agentId === null ? handler(input, engine) : jsonReply({}));
}

/** The host's events and the engine's; this table is all that translating them takes. */
const HANDLERS: Readonly<Record<string, Handler>> = {
  preToolUse: async (input, engine) => {
    const call = decodeCall(input);
    return encodePreToolUse(call, await engine.preToolUse({ ...originOf(input), call }));
  },
  postToolUse: (input, engine) => postToolUse(input, engine, true),
  postToolUseFailure: (input, engine) => postToolUse(input, engine, false),
  sessionStart: ofSession(async (input, engine) => encodeContext(await engine.sessionStart(originOf(input)))),
  userPromptSubmitted: ofSession(async (input, engine) =>
    encodeContext(await engine.userPrompt(originOf(input), isByHuman(input.raw.prompt))),
  ),
  preCompact: ofSession(async (input, engine) => encodeNotice(await engine.beforeCompact(originOf(input)))),
  agentStop: ofSession(async (input, engine) => encodeNotice(await engine.stop(originOf(input)))),
  sessionEnd: ofSession(async (input, engine) => encodeNotice(await engine.stop(originOf(input)))),
};

/** Events that the installer registers. */
export const EVENTS = Object.keys(HANDLERS);

/** Handles one event of the host. An event that we did not register is answered with nothing. */
export async function handleEvent(input: CopilotInput, engine: HookEngine): Promise<HookReply> {
  const handler = Object.hasOwn(HANDLERS, input.event) ? HANDLERS[input.event] : undefined;
  return handler ? handler(input, engine) : jsonReply({});
}
