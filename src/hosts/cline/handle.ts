import { isObject, type JsonObject, type JsonValue } from '../../core/json.ts';
import type { HookEngine } from '../../hooks/engine.ts';
import type { EventOrigin } from '../../hooks/requests.ts';
import type { HookReply } from '../adapter.ts';
import { isByHuman } from '../shared/decode/prompt.ts';
import { jsonReply } from '../shared/encode/reply.ts';
import { type ClineInput, decodeCall, HOST, objectAt } from './decode.ts';
import { encodeContext, encodeNotice, encodePreToolUse } from './encode.ts';
import { transcriptOf } from './transcript.ts';

function originOf({ sessionId }: ClineInput): EventOrigin {
  return { sessionId, host: HOST, transcript: transcriptOf(sessionId) };
}

/** Whether a tool did what it was asked to: every one of a batch, and an MCP server's own word. */
function succeeded({ error, output }: JsonObject): boolean {
  if (error !== undefined && error !== null) return false;
  const results = Array.isArray(output) ? output : [output];
  return results.every((one) => !isObject(one) || (one.success !== false && one.isError !== true));
}

type Handler = (input: ClineInput, engine: HookEngine) => Promise<HookReply>;

/** An event of the session itself; agents that an agent started have such events too. */
function ofSession(handler: Handler): Handler {
  return async (input, engine) => (input.agentId === null ? handler(input, engine) : jsonReply({}));
}

/**
 * The agent begins to work: on a request, as the host tells of the first one in no other way. It does not wait for this
 * hook, which may come when a handshake is under way already.
 */
const begins = ofSession(async (input, engine) => {
  const { state } = await engine.standing(input.sessionId);
  if (state === 'REASONING_INTERCEPT') return jsonReply({});
  return encodeNotice(await engine.userPrompt(originOf(input), true));
});

const ends = ofSession(async (input, engine) => encodeNotice(await engine.stop(originOf(input))));

/** The host's events and the engine's; this table is all that translating them takes. */
const HANDLERS: Readonly<Record<string, Handler>> = {
  PreToolUse: async (input, engine) => {
    const call = decodeCall(input);
    return encodePreToolUse(call, await engine.preToolUse({ ...originOf(input), call }));
  },
  PostToolUse: async (input, engine) => {
    const told = objectAt(input.raw, 'tool_result');
    const result: JsonValue = told.error ?? told.output ?? null;
    const call = decodeCall(input);
    return encodeContext(await engine.postToolUse({ ...originOf(input), call, ok: succeeded(told), result }));
  },
  TaskStart: begins,
  TaskResume: begins,
  UserPromptSubmit: ofSession(async (input, engine) => {
    const { userPromptSubmit: submitted } = input.raw;
    const prompt = isObject(submitted) ? submitted.prompt : undefined;
    // The host prompts its agent by itself to go on; that is no request.
    if (typeof prompt === 'string' && prompt.startsWith('[SYSTEM]')) return jsonReply({});
    return encodeContext(await engine.userPrompt(originOf(input), isByHuman(prompt)));
  }),
  PreCompact: ofSession(async (input, engine) => encodeNotice(await engine.beforeCompact(originOf(input)))),
  TaskComplete: ends,
  TaskCancel: ends,
  TaskError: ends,
  SessionShutdown: ends,
};

/** Events that the installer registers. */
export const EVENTS = Object.keys(HANDLERS);

/** Handles one event of the host. An event that we did not register is answered with nothing. */
export async function handleEvent(input: ClineInput, engine: HookEngine): Promise<HookReply> {
  const handler = Object.hasOwn(HANDLERS, input.event) ? HANDLERS[input.event] : undefined;
  return handler ? handler(input, engine) : jsonReply({});
}
