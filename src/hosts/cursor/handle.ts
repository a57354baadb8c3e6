import { isObject, type JsonValue } from '../../core/json.ts';
import type { HookEngine } from '../../hooks/engine.ts';
import type { EventOrigin, ReportedUsage } from '../../hooks/requests.ts';
import type { HookReply } from '../adapter.ts';
import { isByHuman } from '../shared/decode/prompt.ts';
import { count } from '../shared/decode/transcript.ts';
import { jsonReply } from '../shared/encode/reply.ts';
import { type CursorInput, decodeCall, decodeMcpCall, HOST, isMcpTool } from './decode.ts';
import { encodeContext, encodeNotice, encodePreToolUse } from './encode.ts';

function originOf({ sessionId }: CursorInput): EventOrigin {
  return { sessionId, host: HOST, transcript: null };
}

/** Whether an MCP tool did what it was asked to, as the host tells the end of its run. */
function succeeded(text: unknown): boolean {
  try {
    const result: unknown = typeof text === 'string' ? JSON.parse(text) : text;
    return isObject(result) && Array.isArray(result.content) && result.isError !== true;
  } catch {
    return false;
  }
}

async function postToolUse(input: CursorInput, engine: HookEngine, ok: boolean): Promise<HookReply> {
  if (isMcpTool(input)) return jsonReply({});
  const { tool_output: output, error_message: error } = input.raw;
  const result: JsonValue = (ok ? output : error) ?? null;
  const call = decodeCall(input);
  return encodeContext(await engine.postToolUse({ ...originOf(input), call, ok, result }));
}

function modelOf({ raw }: CursorInput): string | null {
  return typeof raw.model === 'string' && raw.model !== '' ? raw.model : null;
}

/** What the end of a request tells of the model's use. */
function usageOf(input: CursorInput): ReportedUsage {
  const { raw } = input;
  const [given, cached] = [count(raw.input_tokens), count(raw.cache_read_tokens)];
  const tokens = (cached <= given ? given - cached : given) + count(raw.output_tokens);
  return { turns: 0, tokens, model: modelOf(input) };
}

type Handler = (input: CursorInput, engine: HookEngine) => Promise<HookReply>;

/**
 * The host's events and the engine's; this table is all that translating them takes. A tool of an MCP server is judged
 * where its server is named, and nowhere else, so that no call is judged twice.
 */
const HANDLERS: Readonly<Record<string, Handler>> = {
  preToolUse: async (input, engine) => {
    if (isMcpTool(input)) return jsonReply({});
    const request = { ...originOf(input), model: modelOf(input), call: decodeCall(input) };
    return encodePreToolUse(await engine.preToolUse(request));
  },
  beforeMCPExecution: async (input, engine) => {
    const request = { ...originOf(input), model: modelOf(input), call: decodeMcpCall(input) };
    return encodePreToolUse(await engine.preToolUse(request));
  },
  afterMCPExecution: async (input, engine) => {
    const { result_json: result } = input.raw;
    const call = decodeMcpCall(input);
    const ok = succeeded(result);
    return encodeNotice(await engine.postToolUse({ ...originOf(input), call, ok, result: result ?? null }));
  },
  postToolUse: (input, engine) => postToolUse(input, engine, true),
  postToolUseFailure: (input, engine) => postToolUse(input, engine, false),
  sessionStart: async (input, engine) => encodeContext(await engine.sessionStart(originOf(input))),
  beforeSubmitPrompt: async (input, engine) =>
    encodeContext(await engine.userPrompt(originOf(input), isByHuman(input.raw.prompt))),
  preCompact: async (input, engine) => encodeNotice(await engine.beforeCompact(originOf(input))),
  stop: async (input, engine) =>
    encodeNotice(await engine.stop({ ...originOf(input), usage: usageOf(input) })),
  sessionEnd: async (input, engine) => encodeNotice(await engine.stop(originOf(input))),
};

/** Events that the installer registers. One that the host does not know would cost us the whole file. */
export const EVENTS = Object.keys(HANDLERS);

/** Events whose hooks decide; there the host must take a failure for a refusal. */
export const DECIDING: ReadonlySet<string> = new Set([
  'preToolUse',
  'beforeMCPExecution',
  'beforeSubmitPrompt',
]);

/** Handles one event of the host. An event that we did not register is answered with nothing. */
export async function handleEvent(input: CursorInput, engine: HookEngine): Promise<HookReply> {
  const handler = Object.hasOwn(HANDLERS, input.event) ? HANDLERS[input.event] : undefined;
  return handler ? handler(input, engine) : jsonReply({});
}
