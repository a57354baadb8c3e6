import type { JsonValue } from '../../core/json.ts';
import type { HookEngine } from '../../hooks/engine.ts';
import type { EventOrigin } from '../../hooks/requests.ts';
import type { HookReply } from '../adapter.ts';
import type { HookInput } from '../shared/decode/hook-input.ts';
import { optionalText } from '../shared/decode/payload.ts';
import { isByHuman } from '../shared/decode/prompt.ts';
import { stillRunning } from '../shared/decode/still-running.ts';
import { decodeCall } from './decode.ts';
import { encodeBlockedPrompt, encodeContext, encodeNotice, encodePreToolUse } from './encode.ts';
import { HOST } from './tools.ts';
import { transcriptOf } from './transcript.ts';

function originOf(input: HookInput): EventOrigin {
  return { sessionId: input.sessionId, host: HOST, transcript: transcriptOf(input) };
}

async function postToolUse(input: HookInput, engine: HookEngine, ok: boolean): Promise<HookReply> {
  const result: JsonValue = (ok ? input.raw.tool_response : input.raw.error) ?? null;
  const call = decodeCall(input);
  const goesOn = ok ? stillRunning(call, result) : {};
  const answer = await engine.postToolUse({ ...originOf(input), call, ok, result, ...goesOn });
  return encodeContext(input.event, answer);
}

/**
 * The host fires this for a human's prompt (`submitted_prompt`), for one of its own (a background agent has ended), and,
 * with an empty prompt, before each time the model goes on after tools. The last is no request; but a session that was
 * halted ends there, because no answer to a tool's event makes the host stop.
 */
async function userPrompt(input: HookInput, engine: HookEngine): Promise<HookReply> {
  const submitted = optionalText(input.raw, 'submitted_prompt');
  const byHuman = submitted !== null && isByHuman(submitted);
  if (!byHuman && optionalText(input.raw, 'prompt') === null) {
    const { state, context } = await engine.standing(input.sessionId);
    return state === 'HALTED' ? encodeBlockedPrompt(context) : encodeNotice({ context: null, alarm: null });
  }
  return encodeContext(input.event, await engine.userPrompt(originOf(input), byHuman));
}

type Handler = (input: HookInput, engine: HookEngine) => Promise<HookReply>;

/** The host's events and the engine's; this table is all that translating them takes. */
const HANDLERS: Readonly<Record<string, Handler>> = {
  PreToolUse: async (input, engine) =>
    encodePreToolUse(await engine.preToolUse({ ...originOf(input), call: decodeCall(input) })),
  PostToolUse: (input, engine) => postToolUse(input, engine, true),
  PostToolUseFailure: (input, engine) => postToolUse(input, engine, false),
  SessionStart: async (input, engine) => {
    const compact = input.raw.source === 'compact';
    const origin = originOf(input);
    return encodeContext(
      input.event,
      await (compact ? engine.compacted(origin) : engine.sessionStart(origin)),
    );
  },
  UserPromptSubmit: userPrompt,
  PreCompact: async (input, engine) => encodeNotice(await engine.beforeCompact(originOf(input))),
  Stop: async (input, engine) => encodeNotice(await engine.stop(originOf(input))),
  SessionEnd: async (input, engine) => encodeNotice(await engine.stop(originOf(input))),
};

/** Events that the installer registers. */
export const EVENTS = Object.keys(HANDLERS);

/** Handles one event of the host. An event that we did not register is answered with nothing. */
export async function handleEvent(input: HookInput, engine: HookEngine): Promise<HookReply> {
  const handler = Object.hasOwn(HANDLERS, input.event) ? HANDLERS[input.event] : undefined;
  return handler ? handler(input, engine) : encodeNotice({ context: null, alarm: null });
}
