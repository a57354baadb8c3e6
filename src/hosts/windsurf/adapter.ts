import { isObject, type JsonValue } from '../../core/json.ts';
import type { HookEngine } from '../../hooks/engine.ts';
import type { EventAnswer, EventOrigin } from '../../hooks/requests.ts';
import type { HookReply, HostAdapter, HostEvent } from '../adapter.ts';
import { isByHuman } from '../shared/decode/prompt.ts';
import { bounded, jsonReply, noticeReply, refusalReply } from '../shared/encode/reply.ts';
import { decodeCall, decodeInput, HOST } from './decode.ts';

/** Exit code 2 is the only refusal that the host knows; its agent is given what stands on standard error. */
function refusal(text: string): HookReply {
  return refusalReply({}, bounded(text));
}

function told({ alarm }: EventAnswer): HookReply {
  return alarm === null ? jsonReply({}) : noticeReply({}, bounded(alarm));
}

function originOf({ sessionId, raw }: HostEvent): EventOrigin {
  const model = typeof raw.model_name === 'string' ? raw.model_name : null;
  return { sessionId, host: HOST, transcript: null, model };
}

type Handler = (input: HostEvent, engine: HookEngine) => Promise<HookReply>;

const before: Handler = async (input, engine) => {
  const request = { ...originOf(input), call: decodeCall(input) };
  const { decision, text } = await engine.preToolUse(request);
  return decision.verdict === 'allow' ? jsonReply({}) : refusal(text ?? 'Refused.');
};

/** The host does not tell whether an action succeeded. */
const after: Handler = async (input, engine) => {
  const result: JsonValue = input.raw.tool_info ?? null;
  return told(await engine.postToolUse({ ...originOf(input), call: decodeCall(input), ok: true, result }));
};

/** The host's events and the engine's; this table is all that translating them takes. */
const HANDLERS: Readonly<Record<string, Handler>> = {
  pre_user_prompt: async (input, engine) => {
    const { tool_info: info } = input.raw;
    const prompt = isObject(info) ? info.user_prompt : undefined;
    return told(await engine.userPrompt(originOf(input), isByHuman(prompt)));
  },
  pre_read_code: before,
  pre_write_code: before,
  pre_run_command: before,
  pre_mcp_tool_use: before,
  post_read_code: after,
  post_write_code: after,
  post_run_command: after,
  post_mcp_tool_use: after,
  post_cascade_response: async (input, engine) => told(await engine.stop(originOf(input))),
};

/** Events that the installer registers. */
export const EVENTS = Object.keys(HANDLERS);

/** Windsurf's Cascade (hosts reference §12). */
export const windsurf: HostAdapter = {
  host: HOST,
  projectVariables: [],
  events: EVENTS,
  decode: decodeInput,
  handle: async (input, engine) => {
    const handler = Object.hasOwn(HANDLERS, input.event) ? HANDLERS[input.event] : undefined;
    return handler ? handler(input, engine) : jsonReply({});
  },
  failed: (event, reason) =>
    event === null || event.startsWith('pre_') ? refusal(reason) : told({ alarm: reason, context: null }),
};
