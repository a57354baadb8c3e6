import { isObject } from '../../core/json.ts';
import type { ToolCall } from '../../core/tool-call.ts';
import type { HookEngine } from '../../hooks/engine.ts';
import type { EventOrigin } from '../../hooks/requests.ts';
import type { HookReply } from '../adapter.ts';
import type { HookInput } from '../shared/decode/hook-input.ts';
import { isByHuman } from '../shared/decode/prompt.ts';
import { decodeCall } from './decode.ts';
import { encodeAfterTool, encodeBeforeTool, encodeContext, encodeNotice } from './encode.ts';
import { assertNotSearched } from './searched-path.ts';
import { HOST } from './tools.ts';
import { transcriptOf } from './transcript.ts';

function originOf(input: HookInput, call: ToolCall | null = null): EventOrigin {
  return { sessionId: input.sessionId, host: HOST, transcript: transcriptOf(input, call) };
}

/** The host has one event for both ends of a call; an `error` in the response tells a failure. */
async function afterTool(input: HookInput, engine: HookEngine): Promise<HookReply> {
  const response = input.raw.tool_response ?? null;
  const error = isObject(response) ? response.error : undefined;
  const ok = error === undefined || error === null;
  return encodeAfterTool(
    await engine.postToolUse({ ...originOf(input), call: decodeCall(input), ok, result: response }),
  );
}

async function beforeTool(input: HookInput, engine: HookEngine): Promise<HookReply> {
  const call = decodeCall(input);
  assertNotSearched(call);
  return encodeBeforeTool(await engine.preToolUse({ ...originOf(input, call), call }));
}

type Handler = (input: HookInput, engine: HookEngine) => Promise<HookReply>;

/** The host's events and the engine's; this table is all that translating them takes. */
const HANDLERS: Readonly<Record<string, Handler>> = {
  BeforeTool: beforeTool,
  AfterTool: afterTool,
  SessionStart: async (input, engine) =>
    encodeContext(input.event, await engine.sessionStart(originOf(input))),
  BeforeAgent: async (input, engine) =>
    encodeContext(input.event, await engine.userPrompt(originOf(input), isByHuman(input.raw.prompt))),
  PreCompress: async (input, engine) => encodeNotice(await engine.beforeCompact(originOf(input))),
  AfterAgent: async (input, engine) => encodeNotice(await engine.stop(originOf(input))),
  SessionEnd: async (input, engine) => encodeNotice(await engine.stop(originOf(input))),
};

/** Events that the installer registers. */
export const EVENTS = Object.keys(HANDLERS);

/** Handles one event of the host. An event that we did not register is answered with nothing. */
export async function handleEvent(input: HookInput, engine: HookEngine): Promise<HookReply> {
  const handler = Object.hasOwn(HANDLERS, input.event) ? HANDLERS[input.event] : undefined;
  return handler ? handler(input, engine) : encodeNotice({ context: null, alarm: null });
}
