import type { HookEngine } from '../../hooks/engine.ts';
import type { EventOrigin } from '../../hooks/requests.ts';
import type { HookReply } from '../adapter.ts';
import { encodeContext, encodeNotice, encodePostToolUse, encodePreToolUse } from '../claude-code/encode.ts';
import type { HookInput } from '../shared/decode/hook-input.ts';
import { isByHuman } from '../shared/decode/prompt.ts';
import { decodeCall } from './decode.ts';
import { HOST } from './tools.ts';

function originOf({ sessionId }: HookInput): EventOrigin {
  return { sessionId, host: HOST, transcript: null };
}

async function preToolUse(input: HookInput, engine: HookEngine): Promise<HookReply> {
  const call = decodeCall(input);
  return encodePreToolUse(call, await engine.preToolUse({ ...originOf(input), call }));
}

async function postToolUse(input: HookInput, engine: HookEngine): Promise<HookReply> {
  const result = input.raw.tool_response ?? null;
  const call = decodeCall(input);
  return encodePostToolUse(
    input.event,
    await engine.postToolUse({ ...originOf(input), call, ok: true, result }),
  );
}

type Handler = (input: HookInput, engine: HookEngine) => Promise<HookReply>;

/** The host's events and the engine's; its answers are Claude Code's (hosts reference §15). */
const HANDLERS: Readonly<Record<string, Handler>> = {
  PreToolUse: preToolUse,
  PostToolUse: postToolUse,
  SessionStart: async (input, engine) => {
    const compact = input.raw.source === 'compact';
    const origin = originOf(input);
    return encodeContext(
      input.event,
      await (compact ? engine.compacted(origin) : engine.sessionStart(origin)),
    );
  },
  UserPromptSubmit: async (input, engine) =>
    encodeContext(input.event, await engine.userPrompt(originOf(input), isByHuman(input.raw.prompt))),
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
